"""The paper recomputed: every table, example and figure, and the counterexamples of its errata, with the public interface only.

``paper/`` has one module per table, example or figure, named after its LaTeX label; ``errata/`` has the second part, what the
paper says and what is. Each experiment writes down claims: the paper's value, ours, and whether they agree.
"""
