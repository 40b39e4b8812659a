"""Who plays the games of a study: this process, many processes of this machine, or a Ray cluster.

All of them give the finished games in any order; what a game is depends on its number alone.
"""

from __future__ import annotations

import importlib
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

import msgspec

from fronte.ai.arena import collect_seldom, seldom_collecting
from fronte.study.plan import Job, Plan
from fronte.study.record import play_job

Finished = Iterator[tuple[Job, bytes]]
Runner = Callable[[Plan, Sequence[Job]], Finished]
"""A runner plays jobs of a plan and yields each with its record as it is finished."""

LOCAL = "local"
"""The Ray address that means: a Ray of one's own on this machine."""


def here(plan: Plan, todo: Sequence[Job]) -> Finished:
    """Play in this process, one game after another."""
    raw = msgspec.json.encode(plan)
    with seldom_collecting():
        for job in todo:
            yield job, play_job(raw, *job)


def processes(workers: int) -> Runner:
    """A runner with this many processes."""

    def run(plan: Plan, todo: Sequence[Job]) -> Finished:
        return _in_processes(plan, todo, min(workers, len(todo)))

    return here if workers == 1 else run


def _in_processes(plan: Plan, todo: Sequence[Job], workers: int) -> Finished:
    """Each worker has a pipe of its own; should this process die, the pipes close and the workers end."""
    context = get_context("spawn")  # the same on every system
    raw = msgspec.json.encode(plan)
    waiting = iter(todo)
    busy: dict[Connection, Job] = {}
    started = []
    try:
        for job in islice(waiting, workers):
            ours, theirs = context.Pipe()
            worker = context.Process(target=_work, args=(theirs, raw), daemon=True)
            worker.start()
            theirs.close()
            started.append(worker)
            ours.send(job)
            busy[ours] = job
        while busy:
            for pipe in wait(list(busy)):
                assert isinstance(pipe, Connection)
                job = busy.pop(pipe)
                yield job, _answer(pipe, job)
                following = next(waiting, None)
                if following is None:
                    pipe.close()
                else:
                    pipe.send(following)
                    busy[pipe] = following
    finally:
        for worker in started:
            worker.terminate()
        for worker in started:
            worker.join()


def _answer(pipe: Connection, job: Job) -> bytes:
    try:
        answer = pipe.recv()
    except EOFError:
        raise RuntimeError(f"the process that played game {job.game} has died; go on with --resume") from None
    if isinstance(answer, str):
        raise RuntimeError(f"game {job.game}: {answer}")
    record: bytes = answer
    return record


def _work(pipe: Connection, raw: bytes) -> None:
    """A worker: play what comes until the pipe closes. An interrupt is for the process that leads the study."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_seldom()
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            job = pipe.recv()
            try:
                answer: bytes | str = play_job(raw, *job)
            except Exception as wrong:
                answer = f"{type(wrong).__name__}: {wrong}"
            pipe.send(answer)


def on_ray(address: str, workers: int | None = None) -> Runner:
    """A runner on a Ray cluster, or with a Ray of one's own on this machine (address `local`)."""
    try:
        ray = importlib.import_module("ray")
    except ModuleNotFoundError:
        raise RuntimeError("--ray needs the package ray: pip install 'fronte[ray]'") from None

    def run(plan: Plan, todo: Sequence[Job]) -> Finished:
        own: dict[str, Any] = {"num_cpus": workers, "include_dashboard": False} if address == LOCAL else {}
        ray.init(address=address, log_to_driver=False, logging_level="error", **own)
        try:
            cores = int(ray.cluster_resources().get("CPU", 1))
            yield from _on_cluster(ray, plan, todo, 2 * (min(workers, cores) if workers else cores))
        finally:
            ray.shutdown()

    return run


def _on_cluster(ray: Any, plan: Plan, todo: Sequence[Job], at_once: int) -> Finished:
    """Keep so many games on the cluster at a time: enough for all cores, few enough to lose little."""
    play = ray.remote(play_job)
    raw = ray.put(msgspec.json.encode(plan))
    waiting = iter(todo)
    pending: dict[Any, Job] = {play.remote(raw, *job): job for job in islice(waiting, at_once)}
    while pending:
        (done,), _ = ray.wait(list(pending), num_returns=1)
        job = pending.pop(done)
        following = next(waiting, None)
        if following is not None:
            pending[play.remote(raw, *following)] = following
        yield job, ray.get(done)
