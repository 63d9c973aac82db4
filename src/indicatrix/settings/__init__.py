"""Settings: whatever a setting calls labels becomes input of the one algebra (tab:settings).

Most settings are arguments of ``ix.evaluate``; some need a value that a function makes (``ordinal``, ``taxonomy``), and some
are functions of their own that return evaluations (``one_class``, ``segmentation``). ``SETTINGS`` has a row for each: how to ask
for it, its limits, the module with an example.
"""
