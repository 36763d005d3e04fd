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
from rue.api import compare, estimate, exploit, head_to_head, open_run, repeat, resume, solve, start
from rue.errors import RueError
from rue.forms.compile import compile_game
from rue.forms.sequence_form import SequenceForm
from rue.games.catalogue import make as game
from rue.games.game import CHANCE, NOBODY, ONE, TWO, Game
from rue.names import Linear
from rue.problems.estimate import Estimate
from rue.problems.find import problem
from rue.problems.judge import Exploited, HeadToHead
from rue.problems.problem import Problem
from rue.results.game import GameResult
from rue.results.points import MeanPoint, Point
from rue.results.result import Decision, Result
from rue.results.spot import SpotResult
from rue.results.strategy import Strategy
from rue.runs.export import export
from rue.runs.opened import load
from rue.runs.read import read_strategy
from rue.runs.repeat import Repeated
from rue.runs.run import Listener, Progress, Run
from rue.solvers.evaluate import Evaluation, best_response, evaluate
from rue.solvers.linear_program import equilibrium
from rue.solvers.rules_solver import RulesSolver
from rue.solvers.sampled_solver import SampledSolver
from rue.solvers.solver import Solver

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
    "Estimate",
    "Evaluation",
    "Exploited",
    "Exponential",
    "ExponentialMatching",
    "ExternalSampling",
    "Fixed",
    "Game",
    "GameResult",
    "HeadToHead",
    "Linear",
    "Listener",
    "MeanPoint",
    "NormalHedge",
    "OutcomeSampling",
    "Point",
    "Power",
    "Problem",
    "Progress",
    "Projection",
    "PublicChanceSampling",
    "RegretMatching",
    "Repeated",
    "Result",
    "RueError",
    "RulesSolver",
    "Run",
    "SampledSolver",
    "SequenceForm",
    "Softmax",
    "Solver",
    "SpotResult",
    "Strategy",
    "Theory",
    "Uniform",
    "algorithm",
    "best_response",
    "compare",
    "compile_game",
    "equilibrium",
    "estimate",
    "evaluate",
    "exploit",
    "export",
    "game",
    "head_to_head",
    "load",
    "open_run",
    "problem",
    "read_strategy",
    "repeat",
    "resume",
    "rule",
    "solve",
    "start",
]
