"""A folder of finished jobs: a JSON file for each, by its key, and the checkpoints of jobs that were stopped."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryFile

from zerosum.jobs.job import Job, JobResult
from zerosum.runs.run_location import check_folder
from zerosum.support.errors import ZerosumError
from zerosum.support.files import (
    DAMAGE_ERRORS,
    WriteLock,
    parse_json,
    read_at_most,
    remove_stale_temporaries,
    write_atomically,
)
from zerosum.support.system import max_text_bytes
from zerosum.support.validation import as_path, decode_number

FORMAT, FORMAT_VERSION = "zerosum-job", 1
SUBFOLDER, LOCK_FILE = "jobs", ".lock"


class JobStore:
    """Results of jobs in a folder. Only complete results are stored, each as soon as its job has ended.

    exclusive: one process at a time writes to the folder; otherwise several may share it, as they share the cache.
    advice: what to do if nothing can be written there, for the error message.
    """

    def __init__(self, folder: str | Path, *, exclusive: bool = True, advice: str = "") -> None:
        self.folder, self.advice = as_path(folder), advice
        self._lock: WriteLock | None = None
        if not exclusive:
            return
        check_folder(self.folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = WriteLock(self.folder / LOCK_FILE, self.folder)
        except OSError as error:
            raise self._write_error(error) from None

    def close(self) -> None:
        """Let other processes write to the folder."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def check_writable(self) -> None:
        """Raise if nothing can be written to the folder; remove files that killed processes left half-written."""
        try:
            (self.folder / SUBFOLDER).mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=self.folder / SUBFOLDER):
                pass
            remove_stale_temporaries(self.folder / SUBFOLDER)
        except OSError as error:
            raise self._write_error(error) from None

    def _write_error(self, error: OSError) -> ZerosumError:
        advice = f"; {self.advice}" if self.advice else ""
        return ZerosumError(f"cannot write to {self.folder}: {error.strerror or error}{advice}")

    def job_path(self, job: Job, suffix: str = ".json") -> Path:
        name = re.sub(r"[^A-Za-z0-9.+-]+", "-", job.label).strip("-")[:60]
        return self.folder / SUBFOLDER / f"{name}.{job.key}{suffix}"

    def checkpoint_path(self, job: Job) -> Path:
        """Return the file in which a job that was stopped keeps its state."""
        return self.job_path(job, ".part")

    def load(self, job: Job) -> JobResult | None:
        """Return the result of a job, or None if there is none, or a damaged one."""
        path = self.job_path(job)
        try:
            data = parse_json(read_at_most(path, max_text_bytes()), path)
            if (data["format"], data["version"], data["key"]) != (FORMAT, FORMAT_VERSION, job.key):
                return None
            job.check_stored_content(data["content"])
            decode_number(data["seconds"])
            return JobResult(**{name: data[name] for name in JobResult.__dataclass_fields__})
        except DAMAGE_ERRORS:
            return None

    def save(self, job: Job, result: JobResult) -> None:
        """Store a complete result and remove the checkpoint of its job."""
        data = {"format": FORMAT, "version": FORMAT_VERSION, "key": job.key, "label": job.label, **asdict(result)}
        write_atomically(self.job_path(job), json.dumps(data, allow_nan=False).encode())
        self.checkpoint_path(job).unlink(missing_ok=True)
