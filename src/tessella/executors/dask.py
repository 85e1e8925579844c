"""Workers of dask.distributed: on this machine, or wherever a scheduler has them.

The folder of unfinished work must be one that all workers see. Workers must run the same versions
as this process, or answers could differ.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from importlib.util import find_spec
from typing import Any, TypeVar

from tessella.errors import InputError, RunError
from tessella.executors import TRIES, plainly
from tessella.threads import available
from tessella.versions import versions

R = TypeVar("R")

_PATIENCE = "10s"
"""How long a scheduler is waited for."""


def start(workers: int | None, scheduler: str | None, threads: int | None) -> Cluster:
    """Join the cluster of `scheduler`, or start one of `workers` processes on this machine."""
    if find_spec("distributed") is None:
        raise InputError(
            "--executor dask needs dask.distributed, which is not installed; "
            "pip install 'tessella[dask]', or use --executor local."
        )
    import dask

    # A worker that is lost is no fault of its task; a task that loses many is.
    dask.config.set({"distributed.scheduler.allowed-failures": TRIES})
    if scheduler is not None:
        return Cluster(_joined(scheduler), None)
    from distributed import Client, LocalCluster

    count = workers or available()
    cluster = LocalCluster(
        n_workers=count,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",  # any free port: several clusters may run
        memory_limit=0,
        silence_logs=logging.CRITICAL,  # What is lost is done again; what fails comes back.
    )
    return Cluster(Client(cluster), cluster, max(1, (threads or available()) // count))


def _joined(address: str) -> Any:
    """Return a client of a scheduler that runs already."""
    from distributed import Client

    try:
        client = Client(address, timeout=_PATIENCE)
    except (OSError, ValueError, TypeError) as problem:
        raise InputError(
            f"No dask scheduler answers at {address} ({problem}); start one, or give its address "
            "as it prints it, such as tcp://HOST:8786."
        ) from problem
    known = client.scheduler_info(n_workers=-1)["workers"]
    if not known:
        client.close()
        raise InputError(f"The scheduler at {address} has no workers yet; start some.")
    others = {w: theirs for w, theirs in client.run(versions).items() if theirs != versions()}
    if others:
        client.close()
        worker, theirs = next(iter(others.items()))
        raise InputError(
            f"The worker {worker} runs {theirs}, this process {versions()}; answers could differ, "
            "so install the same versions everywhere."
        )
    return client


class Cluster:
    """A client of a scheduler, as an executor.

    Parameters
    ----------
    cluster : what to close in the end; None where somebody else started it
    threads : of a worker; None: as many as each was started with, the fewest of all
    """

    def __init__(self, client: Any, cluster: Any, threads: int | None = None) -> None:
        self.client, self._cluster = client, cluster
        self._executor = client.get_executor(pure=False)
        known = client.scheduler_info(n_workers=-1)["workers"].values()
        self.workers = max(1, len(known))
        self.threads = threads or min((each["nthreads"] for each in known), default=1)

    def submit(self, function: Callable[..., R], /, *args: Any) -> Future[R]:
        """Have ``function(*args)`` done by a worker."""
        try:
            future: Future[R] = self._executor.submit(plainly, function, *args)
        except RuntimeError as problem:
            raise RunError(f"The dask scheduler does not answer: {problem}.") from problem
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster; end it if it is ours."""
        del cancel_futures
        with suppress(Exception):  # A scheduler that is gone cannot be told.
            self._executor.shutdown(wait=wait)
        with suppress(Exception):
            self.client.close(timeout=2)
        if self._cluster is not None:
            with suppress(Exception):
                self._cluster.close(timeout=5)
