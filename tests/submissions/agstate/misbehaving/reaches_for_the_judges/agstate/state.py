from grader.labs.agstate import judges
