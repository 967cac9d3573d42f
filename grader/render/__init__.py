"""A report as text, HTML, JSON or CSV. Renderers are pure and decide nothing: what they say is in the report."""
