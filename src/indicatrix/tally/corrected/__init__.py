"""Corrected cells: the truth is imperfect, expensive or absent, and every measure follows.

A correction gives every row a corrected label, a number for each class, and an influence: what the row adds, its part in the
estimation of the correction included. Cells are linear in labels, so every measure, average, group, interval and paired
difference follows from the two, and nothing here knows a measure.

``JudgedRows`` are the distinct rows of the data with how often each occurs: predictions, what a judge says, gold labels, strata,
groups. They add. A *method* is a small frozen object with ``fit(rows)``, which returns ``FittedLabels``: labels of the rows and
``along(d)``, what each row adds to a sum in which label k of row i counts ``d[i, k]``. ``apart(d)`` has the same of other
samples, such as a reference, where d is multiplied by how much the rows count. ``Corrected`` is both together.
``corrected_tally(Corrected(rows, method), …)`` is a tally whose counts are summed from corrected labels when they are read, and
which keeps the ``Corrected`` next to them as other tallies keep second moments: scores, tables, groups, ``+``, intervals and
comparisons of an ``Evaluation`` of that tally are then what they always are. ``indicatrix.corrected_evaluation`` is the door.

A new method needs one class::

    @dataclass(frozen=True)
    class ByMyMethod(Method):           # for files: a name in ``METHODS`` of saved_tally.py, and for fields ``from_data``
        def fit(self, rows):            # rows.columns["expected"], rows.own, rows.judged, rows.mass, …
            return FittedLabels(labels, lambda d: added, lambda d: [(added_elsewhere, times)], typical)
"""
