"""The studio: a local web page to write, check, explain and walk through models.

It holds no logic of its own.  `app` is the server, which only passes on; the work is done by child processes (`worker`), which turn what
the page asks into requests to `epistrat.service` and questions to `epistrat.ide`, and what comes back into plain data.
"""
