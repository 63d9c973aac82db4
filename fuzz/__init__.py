"""Fuzz: random problems, evaluated by the library and by its definitions in exact arithmetic.

Every difference is printed with a few lines of Python that show it again (``make fuzz``).
"""
