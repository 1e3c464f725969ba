"""Processes of our own: how they are started, spoken to, limited and ended.  Whoever starts one does it here.

A child is a new interpreter that leads a group of processes, so that it and all it starts can be ended at once; a fork would not be safe
in programs with threads.  (`epistrat.jobs.worker` forks, for speed, from a process that has none.)  Values travel as frames.
"""
