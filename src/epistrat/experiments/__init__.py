"""Many checks: sweeps over sizes and suites of benchmarks, each check a process of its own with limits.

`process` runs one command and says what it took; a `Task` is one check as a value; `store` keeps what is done, so that an interrupted sweep
goes on where it was; `local` runs tasks on this machine, `cluster` hands them to Dask.
"""
