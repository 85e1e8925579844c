"""The studio: propose and confirm, in a browser, on one's own machine.

A project (`tessella.studio.project`) is a folder whose only truth is a list of events; what lies
where is what comes of reading them from first to last. The server (`tessella.studio.server`) shows
projects to a browser; it alone needs the extra ``studio``.
"""
