"""Everything that is shown: text, JSON, graphs, pages."""
