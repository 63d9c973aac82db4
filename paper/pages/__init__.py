"""What was found as text, JSON, Markdown, LaTeX and one self-contained HTML page."""
