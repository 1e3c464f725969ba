"""``epistrat lsp``: a language server.  It translates between the protocol and `epistrat.ide`, and has checks served by workers."""
