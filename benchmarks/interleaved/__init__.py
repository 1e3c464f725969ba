"""Parametric interleaved models with the formulae they are known for, as Systems."""

from benchmarks.interleaved.caches import write_once_caches
from benchmarks.interleaved.cryptographers import dining_cryptographers
from benchmarks.interleaved.elections import leader_election
from benchmarks.interleaved.gossip import gossip
from benchmarks.interleaved.locks import mutual_exclusion
from benchmarks.interleaved.rings import free_rings
from benchmarks.interleaved.trains import train_gate_controller

__all__ = [
    "dining_cryptographers",
    "free_rings",
    "gossip",
    "leader_election",
    "mutual_exclusion",
    "train_gate_controller",
    "write_once_caches",
]
