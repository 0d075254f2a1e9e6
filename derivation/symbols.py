"""The symbol catalogue: every symbol of the formulas with its domain, unit and meaning.

Assumptions are SymPy's, so that simplification, the provers and the printers see the same
domains. Indexed families are `sympy.IndexedBase` objects whose entries carry assumptions; sums
over hundreds of matrices stay one symbolic `Sum` over an index.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from majorant.derivation.errors import MajorantError


@dataclass(frozen=True)
class Entry:
    """One catalogue line: the SymPy object, its domain in words, its unit, what it means."""

    name: str
    symbol: sp.Basic
    domain: str
    unit: str
    meaning: str
    latex: str = ""


_CATALOGUE: dict[str, Entry] = {}


def _add(entry: Entry) -> None:
    if entry.name in _CATALOGUE:
        raise MajorantError(f"symbol {entry.name}: defined twice in the catalogue")
    _CATALOGUE[entry.name] = entry


def _positive(name: str, unit: str, meaning: str, latex: str = "") -> sp.Symbol:
    symbol = sp.Symbol(name, positive=True)
    _add(Entry(name, symbol, f"{name} > 0", unit, meaning, latex))
    return symbol


def _nonnegative(name: str, unit: str, meaning: str, latex: str = "") -> sp.Symbol:
    symbol = sp.Symbol(name, nonnegative=True)
    _add(Entry(name, symbol, f"{name} >= 0", unit, meaning, latex))
    return symbol


def _integer(name: str, unit: str, meaning: str, least: int = 1, latex: str = "") -> sp.Symbol:
    flags = {"positive": True} if least == 1 else {"nonnegative": True}
    symbol = sp.Symbol(name, integer=True, **flags)
    _add(Entry(name, symbol, f"integer {name} >= {least}", unit, meaning, latex))
    return symbol


def _index(name: str, meaning: str) -> sp.Symbol:
    symbol = sp.Symbol(name, integer=True, positive=True)
    _add(Entry(name, symbol, f"integer {name} >= 1", "1", meaning))
    return symbol


def _family(name: str, domain: str, unit: str, meaning: str, latex: str = "", first: int = 1,
            **assumptions: bool) -> sp.IndexedBase:
    """A family whose first entry has index `first`; `offset` says how far it is from 1."""
    label = sp.Symbol(name, **assumptions) if assumptions else name
    base = sp.IndexedBase(label, offset=1 - first)
    _add(Entry(name, base, domain, unit, meaning, latex))
    return base


# sizes
n = _integer("n", "sequences", "independent training sequences")
T = _integer("T", "tokens", "tokens in a sequence")
m_tokens = _integer("m_tokens", "tokens", "token vectors in the sample, n*T", latex="m")
N = _integer("N", "1", "hidden width (d_model)")
N1 = _integer("N1", "1", "rows of a weight matrix", latex="N_1")
N2 = _integer("N2", "1", "columns of a weight matrix", latex="N_2")
N_ff = _integer("N_ff", "1", "hidden width of the feed-forward layer", latex=r"N_{\mathrm{ff}}")
H = _integer("H", "heads", "attention heads of a block")
d_h = _integer("d_h", "1", "width of one head")
L = _integer("L", "blocks", "number of blocks")
K = _integer("K", "matrices", "weight matrices that the bound ranges over")
m_grid = _integer("m_grid", "1", "resolution of the grid of Schatten indices", latex="m")
k = _integer("k", "1", "rank kept by a truncation", least=0)
r = _integer("r", "1", "number of non-zero singular values", least=0)

J_blocks = _integer("J_blocks", "blocks", "blocks of a staircase envelope", latex="J")
V_parts = _integer("V_parts", "parameters", "trained vectors (biases, gains, read-out)", least=0,
                   latex="V")
d_dim = _integer("d_dim", "1", "dimension of a space", latex="d")

# indices
a = _index("a", "matrix index, 1..K")
i = _index("i", "singular value index")
j = _index("j", "grid or scale index")
l = _index("l", "block index, 1..L")
step = sp.Symbol("step", integer=True, nonnegative=True)
_add(Entry("step", step, "integer step >= 0", "1", "step on the grid of Schatten indices, 0..2m"))
# not declared an integer: SymPy would rewrite loggamma at half-integers as log(gamma), and that
# overflows
factor = sp.Symbol("factor", nonnegative=True)
_add(Entry("factor", factor, "integer factor >= 0", "1", "index of a factor, from 0", "q"))
h = _index("h", "head index, 1..H")
v = _index("v", "vector index, 1..V_parts")
l_after = _index("l_after", "index of a block after block l, l+1..L")
h_after = _index("h_after", "head index inside a block after block l")

# norms and spectra of one matrix
C = _nonnegative("C", "norm", "upper bound on the spectral norm of a matrix")
S = _nonnegative("S", "norm^p", "Schatten quantity: sum of sigma^p, the rank at p = 0", latex="S_p")
F = _nonnegative("F", "norm", "upper bound on a Frobenius norm")
b = _positive("b", "norm", "upper bound on the norm of every row (token)")
tau = _nonnegative("tau", "norm", "truncation threshold of a spectrum", latex=r"\tau")
p = sp.Symbol("p", nonnegative=True)
_add(Entry("p", p, "0 <= p <= 2", "1", "Schatten index"))
kappa = _positive("kappa", "output per unit of matrix", "sensitivity of the output to the matrix",
                  latex=r"\kappa")
alpha = _positive("alpha", "1", "Lipschitz constant of everything after a block", latex=r"\alpha")
gamma_block = _positive("gamma_block", "1", "sensitivity of a block to one of its matrices",
                        latex=r"\gamma")
C_Q = _nonnegative("C_Q", "1/norm^2", "spectral norm of the query-key form of a head")
C_V = _nonnegative("C_V", "1", "spectral norm of the value-output product of a head")
C_in = _nonnegative("C_in", "1", "spectral norm of the first feed-forward matrix",
                    latex=r"C_{\mathrm{in}}")
C_out = _nonnegative("C_out", "1", "spectral norm of the second feed-forward matrix",
                     latex=r"C_{\mathrm{out}}")
L_phi = _positive("L_phi", "1", "Lipschitz constant of the activation", latex=r"L_\varphi")
A_phi = _positive("A_phi", "1", "sup |phi(x) - phi(0)| / |x|", latex=r"A_\varphi")

# one block: slopes, normalization, gated feed-forward
B_bias = _nonnegative("B_bias", "norm", "bound on the Euclidean norm of a bias",
                      latex=r"\Vert b\Vert")
G_gain = _nonnegative("G_gain", "1", "largest absolute entry of a normalization gain",
                      latex=r"\Vert g\Vert_\infty")
eps_norm = _positive("eps_norm", "norm^2", "constant added to the variance by a normalization",
                        latex=r"\varepsilon_{\mathrm{LN}}")
v_floor = _nonnegative("v_floor", "norm^2", "lower bound on a normalized variance",
                       latex="v")
phi_0 = _nonnegative("phi_0", "1", "|phi(0)| of the activation", latex=r"|\varphi(0)|")
a_phi_1, a_phi_2, a_phi_3 = (
    _positive(f"a_phi_{order}", "1", f"supremum of derivative {order} of the activation",
              latex=f"a_{order}")
    for order in (1, 2, 3))
C_gate = _nonnegative("C_gate", "1", "spectral norm of the gate matrix",
                      latex=r"C_{\mathrm{gate}}")
C_up = _nonnegative("C_up", "1", "spectral norm of the up matrix", latex=r"C_{\mathrm{up}}")
C_down = _nonnegative("C_down", "1", "spectral norm of the down matrix",
                      latex=r"C_{\mathrm{down}}")
R_up = _nonnegative("R_up", "norm", "bound on the up branch of a gated feed-forward layer",
                    latex=r"R_{\mathrm{up}}")
R_gate = _nonnegative("R_gate", "1", "bound on the activated gate of a gated feed-forward layer",
                      latex=r"R_{\mathrm{gate}}")
s_query = _nonnegative("s_query", "1/norm", "slope of the logits in the query token",
                       latex=r"s_{\mathrm{q}}")
s_key = _nonnegative("s_key", "1/norm", "slope of a logit in its key token",
                     latex=r"s_{\mathrm{k}}")
C_q = _nonnegative("C_q", "1", "spectral norm of the query matrix of a head", latex="C_q")
C_k = _nonnegative("C_k", "1", "spectral norm of the key matrix of a head", latex="C_k")
B_q = _nonnegative("B_q", "norm", "Euclidean norm of the query bias of a head", latex="B_q")
B_k = _nonnegative("B_k", "norm", "Euclidean norm of the key bias of a head", latex="B_k")
B_form = _nonnegative("B_form", "1/norm", "norm of the query bias seen by the keys, "
                      "||b_q W_k^T|| times the scale", latex="B_Q")
scale = _positive("scale", "1", "factor of the logits, 1/sqrt(d_h) in most models",
                  latex="c_d")

radius = _nonnegative("radius", "norm", "radius of a ball of parameters", latex="R")

# covers, chaining, probability
eps = _positive("eps", "output", "radius of a cover", latex=r"\varepsilon")
theta = sp.Symbol("theta", positive=True)
_add(Entry("theta", theta, "0 < theta < 1", "1", "share of eps spent on the spectral tail",
           r"\theta"))
delta = sp.Symbol("delta", positive=True)
_add(Entry("delta", delta, "0 < delta < 1", "1", "failure probability", r"\delta"))
gamma = _positive("gamma", "output", "classification margin", latex=r"\gamma")
Lambda = _positive("Lambda", "1/output", "Lipschitz constant of the loss", latex=r"\Lambda")
Rho = _positive("Rho", "1", "Lipschitz constant of the margin in the output", latex=r"\mathrm{P}")
c = _positive("c", "output", "upper end of an entropy integral")
price = _nonnegative("price", "nats", "log(1/pi): price of the choices made after seeing the data",
                     latex=r"\log\frac1\pi")
entropy = _nonnegative("entropy", "nats", "metric entropy of the class at the radius in use",
                       latex=r"\mathcal{H}")
rademacher = _nonnegative("rademacher", "1", "bound on the Rademacher complexity of the loss class",
                          latex="r")
integral = _nonnegative("integral", "output*nats^(1/2)", "integral of the root of the entropy",
                        latex=r"\mathcal{J}")
cut = _positive("cut", "output", "lower end of an entropy integral", latex="a")
c0 = _positive("c0", "1", "constant of the chaining bound", latex="c_0")
code = _nonnegative("code", "nats", "length of a prefix-free description of the network",
                    latex=r"\ell")
variance = _positive("variance", "output^2", "threshold on the variance inside a normalization",
                     latex="v")
ratio = _positive("ratio", "1", "step of a geometric grid, 1 + ratio between its points",
                  latex=r"\varrho")
exponent = sp.Symbol("exponent", integer=True)
_add(Entry("exponent", exponent, "integer", "1", "point of a geometric grid", "e"))
N_min = _integer("N_min", "1", "smaller side of a matrix", latex=r"N_{\min}")
R_hat = sp.Symbol("R_hat", nonnegative=True)
_add(Entry("R_hat", R_hat, "0 <= R_hat <= 1", "1", "empirical risk or margin error", r"\hat R"))

# indexed families
sigma = _family("sigma", "sigma[a, i] >= 0, non-increasing in i", "norm",
                "singular value i of matrix a", r"\sigma", nonnegative=True)
S_of = _family("S_of", "S_of[a] > 0", "norm^p", "Schatten quantity of matrix a", "S",
               positive=True)
kappa_of = _family("kappa_of", "kappa_of[a] > 0", "output per unit of matrix",
                   "sensitivity of the output to matrix a", r"\kappa", positive=True)
C_of = _family("C_of", "C_of[a] > 0", "norm", "spectral norm bound of matrix a", "C",
               positive=True)
eps_of = _family("eps_of", "eps_of[a] > 0", "norm", "cover radius of matrix a", r"\varepsilon",
                 positive=True)
tau_of = _family("tau_of", "0 <= tau_of[a] < eps_of[a]", "norm", "truncation threshold of matrix a",
                 r"\tau", nonnegative=True)
k_of = _family("k_of", "integer k_of[a] >= 0", "1", "rank kept for matrix a", "k",
               integer=True, nonnegative=True)
knot = _family("knot", "knot[1] = 0 < knot[2] < ... < knot[J_blocks+1] = k", "1",
               "ranks at which a staircase envelope steps down", integer=True, nonnegative=True)
level = _family("level", "level[1] >= level[2] >= ... >= 0", "norm",
                "height of block j of a staircase envelope", "t", nonnegative=True)
w_of = _family("w_of", "w_of[a] > 0, at most 1 in sum", "1",
               "share of the accuracy that is spent on matrix a", "w", positive=True)
p_of = _family("p_of", "0 <= p_of[a] <= 2", "1", "Schatten index of matrix a", "p",
               nonnegative=True)
scale_of = _family("scale_of", "scale_of[1] = 1/2 > scale_of[2] > ... > scale_of[J+1] > 0",
                   "output", "scale j of a chain", "e", positive=True)
exponent_of = _family("exponent_of", "integer, exponent_of[1] >= exponent_of[2] >= ...", "1",
                      "grid point of block j of a staircase", "e", integer=True)
price_of = _family("price_of", "price_of[a] >= 0", "nats", "price of the choices for matrix a",
                   r"\log\frac1\pi", nonnegative=True)
blocks_at = _family("blocks_at", "integer blocks_at[a, j] >= 1", "blocks",
                    "blocks of the staircase of matrix a above its threshold at scale j", "J",
                    integer=True, positive=True)
knot_at = _family("knot_at", "knot_at[a, j, 1] = 0 < knot_at[a, j, 2] < ...", "1",
                  "ranks at which the staircase of matrix a steps down, at scale j", "k",
                  integer=True, nonnegative=True)
level_at = _family("level_at", "level_at[a, j, 1] >= level_at[a, j, 2] >= ... >= 0", "norm",
                   "height of block i of the staircase of matrix a, at scale j", "t",
                   nonnegative=True)
tau_at = _family("tau_at", "0 <= tau_at[a, j] < eps_at[a, j]", "norm",
                 "truncation threshold of matrix a at scale j", r"\tau", nonnegative=True)
eps_at = _family("eps_at", "eps_at[a, j] > 0", "norm", "cover radius of matrix a at scale j",
                 r"\varepsilon", positive=True)
eps_vec_at = _family("eps_vec_at", "eps_vec_at[v, j] > 0", "norm",
                     "cover radius of vector v at scale j", r"\varepsilon", positive=True)
eps_vec_of = _family("eps_vec_of", "eps_vec_of[v] > 0", "norm", "cover radius of vector v",
                     r"\varepsilon", positive=True)
Lip_of = _family("Lip_of", "Lip_of[l] >= 0", "1", "Lipschitz constant of block l",
                 r"\mathrm{Lip}", nonnegative=True)
move_of = _family("move_of", "move_of[l] >= 0", "output",
                  "how far the output of block l moves when only its own matrices are replaced",
                  "s", nonnegative=True)
gap_of = _family("gap_of", "gap_of[l] >= 0", "output",
                 "distance of the outputs of two networks after block l", "e", nonnegative=True)
A_of = _family("A_of", "A_of[a] >= 0", "nats * radius^q", "coefficient of a power entropy", "A",
               nonnegative=True)
F_of = _family("F_of", "F_of[a] >= 0", "norm", "Frobenius norm of matrix a", "F",
               nonnegative=True)
d_of = _family("d_of", "integer d_of[v] >= 1", "1", "dimension of vector v", "d", integer=True,
               positive=True)
B_of = _family("B_of", "B_of[v] >= 0", "norm", "radius of the ball of vector v", "B",
               nonnegative=True)
kappa_vec_of = _family("kappa_vec_of", "kappa_vec_of[v] > 0", "output per unit of vector",
                       "sensitivity of the output to vector v", r"\kappa", positive=True)
w_vec_of = _family("w_vec_of", "w_vec_of[v] > 0", "1",
                   "share of the accuracy that is spent on vector v", "w", positive=True)
N1_of = _family("N1_of", "integer N1_of[a] >= 1", "1", "rows of matrix a", "N_1",
                integer=True, positive=True)
N2_of = _family("N2_of", "integer N2_of[a] >= 1", "1", "columns of matrix a", "N_2",
                integer=True, positive=True)
QK21_of = _family("QK21_of", "QK21_of[l, h] >= 0", "norm",
                  "column-norm sum of the query-key product of head h of block l",
                  r"\|QK\|_{2,1}", nonnegative=True)
V21_of = _family("V21_of", "V21_of[l, h] >= 0", "norm",
                 "column-norm sum of the value-output product of head h of block l",
                 r"\|V\|_{2,1}", nonnegative=True)
in21_of = _family("in21_of", "in21_of[l] >= 0", "norm",
                  "column-norm sum of the first feed-forward matrix of block l",
                  r"\|M_{\mathrm{in}}\|_{2,1}", nonnegative=True)
out21_of = _family("out21_of", "out21_of[l] >= 0", "norm",
                   "column-norm sum of the second feed-forward matrix of block l",
                   r"\|M_{\mathrm{out}}\|_{2,1}", nonnegative=True)
C_Q_of = _family("C_Q_of", "C_Q_of[l, h] >= 0", "1/norm^2", "query-key norm of head h of block l",
                 "C_Q", nonnegative=True)
C_V_of = _family("C_V_of", "C_V_of[l, h] >= 0", "1", "value-output norm of head h of block l",
                 "C_V", nonnegative=True)
C_in_of = _family("C_in_of", "C_in_of[l] >= 0", "1", "first feed-forward norm of block l",
                  r"C_{\mathrm{in}}", nonnegative=True)
C_out_of = _family("C_out_of", "C_out_of[l] >= 0", "1", "second feed-forward norm of block l",
                   r"C_{\mathrm{out}}", nonnegative=True)

# one trajectory of a contracting chain (chapter 6)
d = _integer("d", "1", "dimension of the state space")
s = _integer("s", "1", "order of smoothness")
order = _integer("order", "1", "order of a derivative", least=0)
t_after = _integer("t_after", "steps", "steps between the end of the sample and the future time",
                   least=0, latex="t-n")
rho = sp.Symbol("rho", nonnegative=True)
_add(Entry("rho", rho, "0 <= rho < 1", "1", "Wasserstein contraction of the Markov kernel",
           r"\rho"))
D = _positive("D", "state", "diameter of the state space")
D_step = _positive("D_step", "state", "largest diameter of the support of one step", latex="D'")
R_1 = _nonnegative("R_1", "risk/state", "Lipschitz constant of every member of the class")
w_cut = _positive("w_cut", "state", "width of the cut-off around the cube", latex="w")
A_period = _positive("A_period", "state", "period of the extension, 1 + 2 w", latex="A")
q = _integer("q", "1", "squared length of a frequency")
Q_cut = _integer("Q_cut", "1", "squared length at which the lattice sum becomes a tail",
                 latex="Q")
Gamma_s = _nonnegative("Gamma_s", "risk", "bound on the derivative of order s of the extension",
                       latex=r"\Gamma_s")
risk_empirical = _nonnegative("risk_empirical", "risk", "mean loss along the trajectory",
                              latex=r"\pi_n(g)")
sup_expected = _nonnegative("sup_expected", "risk", "bound on the expected supremum",
                            latex=r"\mathbb{E}\,\Phi")
J = _integer("J", "scales", "number of chaining scales")
count_of = _family("count_of", "integer count_of[q] >= 0", "1",
                   "number of integer vectors of squared length q", "r_d", integer=True,
                   nonnegative=True)
R_of = _family("R_of", "R_of[j] >= 0, j >= 0", "risk/state^j",
               "bound on the derivatives of order j of the class", "R", first=0,
               nonnegative=True)
chi_of = _family("chi_of", "chi_of[j] >= 0, j >= 0", "1/state^j",
                 "largest derivative of order j of the cut-off", r"\chi", first=0,
                 nonnegative=True)
cut_of = _family("cut_of", "integer cut_of[q] >= 0", "steps",
                 "time at which the two bounds on a correlation are exchanged", "t",
                 integer=True, nonnegative=True)
H_of = _family("H_of", "H_of[j] >= 0", "nats", "entropy at scale j", "H", nonnegative=True)


def symbol_catalogue() -> dict[str, Entry]:
    """All catalogue entries by name.

    >>> symbol_catalogue()["theta"].domain
    '0 < theta < 1'
    """
    return dict(_CATALOGUE)


def lookup(name: str) -> sp.Basic:
    """The SymPy object called `name`; `MajorantError` lists the known names otherwise.

    >>> lookup("tau").is_nonnegative
    True
    """
    if name not in _CATALOGUE:
        known = ", ".join(sorted(_CATALOGUE))
        raise MajorantError(f"symbol {name!r}: not in the catalogue. Known: {known}")
    return _CATALOGUE[name].symbol
