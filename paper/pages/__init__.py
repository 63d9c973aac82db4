"""What was found, for people and for programs: text, JSON, Markdown, LaTeX and one self-contained HTML page."""
