"""One module per command; see ../command_line.py for what each one has."""
