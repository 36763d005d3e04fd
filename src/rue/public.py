"""Every public name of the package; `rue` itself offers them when they are first asked for."""

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.catalogue import algorithm
from rue.algorithms.choices import (
    Anytime,
    Discount,
    Exponential,
    ExponentialMatching,
    Fixed,
    NormalHedge,
    Power,
    Projection,
    RegretMatching,
    Softmax,
    Theory,
)
from rue.algorithms.own_rule import rule
from rue.algorithms.sampling import ChanceSampling, ExternalSampling, OutcomeSampling, PublicChanceSampling
from rue.algorithms.schedules import Uniform
from rue.errors import RueError
from rue.forms.compile import compile_game
from rue.forms.sequence_form import SequenceForm
from rue.games.catalogue import make as game
from rue.games.game import CHANCE, NOBODY, ONE, TWO, Game
from rue.names import Linear
from rue.result import Decision, MeanPoint, Point, Result
from rue.runs.resume import load, resume
from rue.solvers.compare import compare
from rue.solvers.evaluate import Evaluation, best_response, evaluate
from rue.solvers.iterate import Progress
from rue.solvers.linear_program import equilibrium
from rue.solvers.rules_solver import RulesSolver
from rue.solvers.run import solve
from rue.solvers.sampled_solver import SampledSolver
from rue.solvers.seeds import Repeated, repeat
from rue.solvers.solver import Solver
from rue.strategies.judge import Exploited, HeadToHead, exploit, head_to_head
from rue.strategies.read import read_strategy
from rue.strategies.strategy import Strategy

__all__ = [
    "CHANCE",
    "NOBODY",
    "ONE",
    "TWO",
    "Algorithm",
    "Anytime",
    "ChanceSampling",
    "Decision",
    "Discount",
    "Evaluation",
    "Exploited",
    "Exponential",
    "ExponentialMatching",
    "ExternalSampling",
    "Fixed",
    "Game",
    "HeadToHead",
    "Linear",
    "MeanPoint",
    "NormalHedge",
    "OutcomeSampling",
    "Point",
    "Power",
    "Progress",
    "Projection",
    "PublicChanceSampling",
    "RegretMatching",
    "Repeated",
    "Result",
    "RueError",
    "RulesSolver",
    "SampledSolver",
    "SequenceForm",
    "Softmax",
    "Solver",
    "Strategy",
    "Theory",
    "Uniform",
    "algorithm",
    "best_response",
    "compare",
    "compile_game",
    "equilibrium",
    "evaluate",
    "exploit",
    "game",
    "head_to_head",
    "load",
    "read_strategy",
    "repeat",
    "resume",
    "rule",
    "solve",
]
