"""The paper recomputed with the public interface of the library only.

``sections`` has a module for each table, example and figure, named after its LaTeX label, and ``errata`` one for each entry of
errata.md. Each experiment writes down claims: the paper's value, ours, and whether they agree. ``python -m paper`` runs them.
"""
