"""The reader of the paper's source, on a small source of our own."""

from __future__ import annotations

from paper.read_source import read

SOURCE = r"""
\section{One} We see 1{,}200.5 and 0.25 in a width of \hspace{0.3cm}.
\begin{table}\label{tab:one} 0.75 & $-$0.125 \end{table}
\begin{figure}
\begin{subfigure}\label{fig:left} 0.5\end{subfigure} \begin{subfigure}\label{fig:right} 0.6\end{subfigure}
\end{figure}
\begin{theorem}\label{thm:first} x \end{theorem} \begin{theorem} no label \end{theorem}
\begin{align} a \label{eq:a} \\ b \nonumber \\ c \label{eq:c} \end{align}
\section{Two}\label{sec:experiments} 0.9 as Theorem~4 and Eq. (6) say.
\section{Conclusion} 0.1
\section*{Group 1: Accuracy} \endhead
Accuracy & x & a & \novel b & \novel c & \\[2pt]
$R$-Recall & x & a & b & c & \sinv \\[2pt]
\bottomrule
1. Accuracy & 2 & $\sim$3 & $\sim$3 \\
There are 4 extensions marked by \novel.
"""


def test_what_a_source_prints() -> None:
    found = read(SOURCE)
    assert found["decimals"] == ["0.1", "0.125", "0.25", "0.5", "0.6", "0.75", "0.9", "1200.5"]
    places = {label: numbers for label, numbers in found["places"].items() if numbers}
    assert places == {"tab:one": ["0.125", "0.75"], "fig:left": ["0.5"], "fig:right": ["0.6"], "sec:experiments": ["0.9"]}
    assert found["appendix"] == {"1": [["Accuracy", ["macro", "exemplar"], False], ["R", [], True]]}
    assert (found["marks"]["all"], found["summary"], found["total"]) == (3, [("1", "2", "3")], ["4"])
    assert found["labels"] == ["eq:a", "eq:c", "fig:left", "fig:right", "sec:experiments", "tab:one", "thm:first"]
    assert found["numbered"]["Theorem"] == ["thm:first", ""]
    assert found["numbered"]["Eq."] == ["eq:a", "eq:c"]
    assert found["numbered"]["Section"] == ["one", "two", "conclusion"]
    assert found["cited"] == ["Eq. (6)", "Theorem 4"]
