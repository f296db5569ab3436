"""The site that ./course tour and ./course site write: the first page, the course's pages, sources and the test
report, as static files that need neither a network nor a server."""
