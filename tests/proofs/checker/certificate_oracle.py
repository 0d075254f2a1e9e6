"""An evaluation of certificates that shares no code with the product: mpmath, typed by hand.

It computes what a certificate's proposal is worth for a network of the normalized family, or a
post-norm encoder with biases, with ReLU, and checks no side condition: it is the number that the
checker may not go below.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from mpmath import mp, mpf


def number(value: Any) -> Any:
    """Exact decimal or double, at the working precision."""
    if isinstance(value, str) and "/" in value:
        top, bottom = value.split("/")
        return mpf(int(top)) / int(bottom)
    return mpf(value)


def volume(b: int, e: int) -> Any:
    """Selberg's integral, as in C4s."""
    total = -b * mp.log(2) - mp.loggamma(b + 1)
    for j in range(b):
        total += mp.loggamma(mpf(e + 1) / 2 + mpf(j) / 2) + mp.loggamma(1 + mpf(j) / 2)
        total += mp.loggamma(1 + mpf(j + 1) / 2) - mp.loggamma(mpf(3) / 2)
        total -= mp.loggamma(mpf(e + 1) / 2 + 1 + mpf(b + j - 1) / 2)
    return total


class Oracle:
    """The value of one certificate."""

    def __init__(self, certificate: dict[str, Any]) -> None:
        self.inputs, self.proposal = certificate["inputs"], certificate["proposal"]
        self.ratio = 1 + mpf(2) ** (-self.proposal["fineness"])
        s = self.proposal["fineness"]
        self.price = mp.log((s + 1) * (s + 2))
        self.moments: dict[str, tuple[Any, Any]] = {}
        self.gamma = self.level(self.proposal["margin"])
        self.rho = mpf(1) if self.inputs["network"]["outputs"] in (None, 1) else mp.sqrt(2)

    def level(self, index: int) -> Any:
        self.price += mp.log(mpf(3) / 2) + mp.log((abs(index) + 1) * (abs(index) + 2))
        return self.ratio**index

    def envelope(self, name: str) -> tuple[list[Any], Any]:
        """Upper bounds of all singular values of the class, and of its norm."""
        smaller = min(self.inputs["parameters"][name]["shape"])
        data = self.proposal["classes"][name]
        if self.vector(name):
            self.price += mp.log(2)
            size = self.level(data["C"]) if data["kind"] == "ball" else mpf(0)
            return [size], size
        kinds = 4 if self.proposal["bound"] in ("occam", "envelope") else 2
        self.price += mp.log(kinds)
        kind = data["kind"]
        if kind == "zero":
            return [mpf(0)] * smaller, mpf(0)
        if kind in ("schatten", "frobenius"):
            size = self.level(data["C"])
            if kind == "frobenius":
                self.moments[name] = (self.level(data["F"]), mpf(2))
            else:
                blocks, width = self.inputs["network"]["blocks"], self.inputs["network"]["width"]
                m = int(mp.ceil(len(blocks) + mp.log(width)))
                self.price += mp.log(2 * m + 1)
                self.moments[name] = (self.level(data["S"]), mpf(data["index"]) / m)
            return [size] * smaller, size
        if kind == "norm":
            size = self.level(data["C"])
            return [size] * smaller, size
        self.price += mp.log(smaller + 1)
        rank = data["rank"]
        if kind == "staircase":
            levels = data["levels"]
            self.level(levels[0])
            for before, after in pairwise(levels):
                self.price += mp.log((before - after + 1) * (before - after + 2))
            starts = [0] + [2**j for j in range(20) if 2**j < rank]
            values = [mpf(0)] * smaller
            for start, index in zip(starts, levels, strict=True):
                for i in range(start, rank):
                    values[i] = self.ratio**index
            return values, self.ratio ** levels[0]
        size = self.level(data["C"])
        tail = self.level(data["tau"]) if kind == "truncated" else mpf(0)
        return [size] * rank + [tail] * (smaller - rank), size

    def vector(self, name: str) -> bool:
        return bool(self.inputs["parameters"][name]["kind"] != "matrix")

    def post_norm(self, norms: dict[str, Any]) -> dict[str, Any]:
        """A3-A5 for `LN(x + att(x))`, `LN(x + ff(x))` with biases, L_phi = A_phi = 1."""
        constants = self.proposal["constants"]
        blocks, radius = [], mpf(self.inputs["numbers"]["input"])
        for l, block in enumerate(self.inputs["network"]["blocks"]):
            first, second = block["stages"][1], block["stages"][3]
            width = first["width"]
            one, two = (1 / mp.sqrt(mpf(stage["eps"])) for stage in (first, second))
            at = {key: norms.get(f"block{l}.{key}", mpf(0)) for key in (
                "norm1.gain", "norm1.bias", "norm2.gain", "norm2.bias", "M_in", "M_out", "b_in")}
            ff = 1 + at["M_in"] * at["M_out"]
            after_att = at["norm2.gain"] * two * ff
            att, local = mpf(0), {}
            for h in range(len(block["stages"][0]["branch"][0]["heads"])):
                name = f"block{l}.head{h}"
                q, c, v = (norms[f"{name}.{part}"] for part in ("QK", "c", "V"))
                row, column = q * radius + c, q * radius  # the two slopes of the logits
                att += v * {"sharp": radius * column + mp.sqrt(1 + (radius * row) ** 2),
                            "series": 1 + radius * (row + column),
                            "crude": 1 + 2 * radius * (row + column)}[constants]
                step = 2 if constants == "crude" else 1
                local[f"{name}.QK"] = step * v * radius**3
                local[f"{name}.c"] = step * v * radius**2
                local[f"{name}.V"] = radius
            local[f"block{l}.attention.bias"] = mpf(1)
            local = {key: value * at["norm1.gain"] * one * after_att
                     for key, value in local.items()}
            local[f"block{l}.norm1.gain"] = mp.sqrt(width) * after_att
            local[f"block{l}.norm1.bias"] = after_att
            middle = mp.sqrt(width) * at["norm1.gain"] + at["norm1.bias"]
            last = at["norm2.gain"] * two
            local[f"block{l}.M_in"] = middle * at["M_out"] * last
            local[f"block{l}.b_in"] = at["M_out"] * last
            local[f"block{l}.M_out"] = (at["M_in"] * middle + at["b_in"]) * last
            local[f"block{l}.b_out"] = last
            local[f"block{l}.norm2.gain"] = mp.sqrt(width)
            local[f"block{l}.norm2.bias"] = mpf(1)
            blocks.append(((1 + att) * at["norm1.gain"] * one * after_att, local))
            radius = mp.sqrt(width) * at["norm2.gain"] + at["norm2.bias"]
        kappa, after = {"readout": radius, "readout.bias": mpf(1)}, norms["readout"]
        for lip, local in reversed(blocks):
            kappa |= {name: after * value for name, value in local.items()}
            after *= lip
        return kappa

    def kappas(self, norms: dict[str, Any]) -> dict[str, Any]:
        """A3-A5 for `Pi(relu(Pi(sum att) M_in) M_out)`, L_phi = A_phi = 1."""
        constants = self.proposal["constants"]
        blocks, radius = [], mpf(self.inputs["numbers"]["input"])
        for l, block in enumerate(self.inputs["network"]["blocks"]):
            heads = range(len(block["stages"][0]["heads"]))
            c_in, c_out = norms[f"block{l}.M_in"], norms[f"block{l}.M_out"]
            lip, mid, local = mpf(0), mpf(0), {}
            for h in heads:
                q, v = norms[f"block{l}.head{h}.QK"], norms[f"block{l}.head{h}.V"]
                x = q * radius**2
                lip += v * {"sharp": x + mp.sqrt(1 + x**2), "series": 1 + 2 * x,
                            "crude": 1 + 4 * x}[constants]
                mid += v * radius
                step = 2 if constants == "crude" else 1
                local[f"block{l}.head{h}.QK"] = step * v * radius * radius**2 * c_in * c_out
                local[f"block{l}.head{h}.V"] = radius * c_in * c_out
            row = min(mid, mpf(1))
            local[f"block{l}.M_in"] = row * c_out
            local[f"block{l}.M_out"] = row * c_in
            blocks.append((lip * c_in * c_out, local))
            radius = min(row * c_in * c_out, mpf(1))
        kappa, after = {}, mpf(1)
        if self.inputs["network"]["readout"]:
            after = norms["readout"]
            kappa["readout"] = radius
        for lip, local in reversed(blocks):
            kappa |= {name: after * value for name, value in local.items()}
            after *= lip
        return kappa

    def entropy(self, name: str, cover: dict[str, Any], values: list[Any], size: Any) -> Any:
        eps, method = number(cover["eps"]), cover["method"]
        if method == "none":
            return mpf(0)
        if method == "ball":
            [dimension] = self.inputs["parameters"][name]["shape"]
            if self.inputs["parameters"][name]["kind"] == "gain":
                return dimension * mp.log(max(1, mp.ceil(size / eps)))
            return dimension * mp.log(1 + 2 * size / eps)
        n1, n2 = sorted(self.inputs["parameters"][name]["shape"])
        if method == "C1":
            return n1 * n2 * mp.log(1 + 2 * size / eps)
        k = cover["rank"] if method == "C3" else cover["knots"][-1]
        tau = values[k] if k < n1 else mpf(0)
        if k == 0:
            return mpf(0)
        if method == "C3":
            return k * (n1 + n2) * mp.log(1 + 4 * size / (eps - tau))
        total, start = volume(n1 - k, n2 - n1) - volume(n1, n2 - n1), 0
        for end in cover["knots"]:
            dims = (end - start) * (n1 + n2 - start - end)
            total += dims * mp.log(1 + 2 * values[start] / (eps - tau))
            total += volume(end - start, n2 - n1 + 2 * (n1 - end))
            start = end
        return total

    def value(self, free: bool = False) -> Any:
        """The bound; with `free`, what it would be if no choice had to be paid for."""
        families = {name: self.envelope(name) for name in self.proposal["classes"]}
        if any(self.outside(name, *family) for name, family in families.items()):
            return mpf("inf")  # nothing is proved about a class without the parameter
        spread = self.kappas if self.inputs["network"]["family"] == "normalized" else self.post_norm
        self.numbers = spread({name: size for name, (_, size) in families.items()})
        paid = (mpf(0) if free else self.price) - mp.log(number(self.inputs["delta"]))
        n = self.inputs["n"]
        wrong = mpf(self.inputs["empirical"]["errors"]) / n
        if "shares" in self.proposal:
            return wrong + 2 * self.closed(families) + mp.sqrt(paid / (2 * n))
        totals = [sum((self.entropy(name, cover, *families[name])
                       for name, cover in scale["covers"].items()), mpf(0))
                  for scale in self.proposal["scales"]]
        if self.proposal["bound"] != "envelope":
            return kl_inverse(wrong, (totals[0] + paid) / n)
        scales = [mpf(1) / 2] + [number(scale["e"]) for scale in self.proposal["scales"]]
        r = scales[-1] + sum(a * mp.sqrt(2 * H / n)
                             for a, H in zip(scales, totals, strict=False))
        return wrong + 2 * r + mp.sqrt(paid / (2 * n))

    def outside(self, name: str, values: list[Any], size: Any) -> bool:
        """Whether the verified sizes of a parameter exceed those of its class somewhere."""
        part = self.inputs["parameters"][name]
        sizes = [number(x) for x in part.get("sigma", [part.get("norm")])]
        return any(x > min(level, size) for x, level in zip(sizes, values, strict=False))

    def closed(self, families: dict[str, Any]) -> Any:
        """The Rademacher complexity of the closed forms (Dudley's integral with c = 1/4)."""
        n, c, bound = mpf(self.inputs["n"]), mpf(1) / 4, self.proposal["bound"]
        lam = self.rho / self.gamma
        integral = squares = mpf(0)
        for name, (_, size) in families.items():
            if self.vector(name) and size > 0:
                [dimension] = self.inputs["parameters"][name]["shape"]
                u = number(self.proposal["shares"][name]) / (lam * self.numbers[name])
                integral += mp.sqrt(dimension) * c * mp.sqrt(mp.log(1 + 2 * size / (u * c)) + 1)
            if name not in self.moments:
                continue
            rows, cols = self.inputs["parameters"][name]["shape"]
            moment, p = self.moments[name]
            u = number(self.proposal["shares"][name]) / (lam * self.numbers[name])
            if bound == "schatten":
                theta = number(self.proposal["theta"])
                A = moment * (theta * u) ** (-p) * (rows + cols)
                rate, inside = 1 - p / 2, mp.log(1 + 4 * size / ((1 - theta) * u * c))
                integral += mp.sqrt(A) * c**rate / rate * mp.sqrt(inside + 1 / rate)
                continue
            reach = mp.sqrt(cols) + mp.sqrt(2 * mp.log(2 * n * self.inputs["seq_len"]))
            if bound == "norm":
                squares += 2 * moment**2 * reach**2 / u**2
                continue
            if bound == "norm-zhang":
                cut = number(self.proposal["cut"])
                far = mp.sqrt(cols) * moment / (u * cut)
                points = n * self.inputs["seq_len"] * cols
                squares += 36 * far**2 * mp.log(2 * mp.ceil(4 * far + 2) * points + 1) * cut**2
                continue
            spread = 8 * min(rows, cols) * reach**2
            tau = (moment * (rows + cols) * u**2 / spread) ** (1 / (p + 2))
            A, rate = moment * tau ** (-p) * (rows + cols), 1 - p / (p + 2)
            inside = mp.log(1 + 16 * size / (u * c)) + 1 / rate + 1
            integral += mp.sqrt(A) * c**rate / rate * mp.sqrt(inside) + c * mp.sqrt(mp.log(2))
        if bound == "norm":
            cut, count = number(self.proposal["cut"]), len(self.moments)
            integral += c * mp.sqrt(count * mp.log(2)) + mp.sqrt(squares) * mp.log(c / cut)
            return 4 * cut + 4 * mp.sqrt(2) * integral / mp.sqrt(n)
        if bound == "norm-zhang":
            cut = number(self.proposal["cut"])
            return 4 * cut + 12 * (integral + mp.sqrt(squares) * mp.log(c / cut)) / mp.sqrt(n)
        return (12 if bound == "published" else 6 * mp.sqrt(2)) * integral / mp.sqrt(n)

    def spent(self) -> Any:
        """`sum kappa_a eps_a / eps` of the first scale."""
        room = self.gamma / (2 * self.rho)
        covers = self.proposal["scales"][0]["covers"]
        return sum(self.numbers[name] * number(c["eps"]) for name, c in covers.items()) / room


def kl_inverse(q: Any, level: Any) -> Any:
    """`sup {r >= q: kl(q, r) <= level}` by bisection."""
    def kl(r: Any) -> Any:
        low = q * mp.log(q / r) if q > 0 else mpf(0)
        high = (1 - q) * mp.log((1 - q) / (1 - r)) if q < 1 else mpf(0)
        return low + high

    low, high = q, mpf(1)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if middle < 1 and kl(middle) <= level else (low, middle)
    return low


def oracle(certificate: dict[str, Any], free: bool = False) -> Any:
    """What the proposal is worth (with `free`: would be, without prices), with 60 digits."""
    with mp.workdps(60):
        return Oracle(certificate).value(free)


def exact(value: Fraction) -> Any:
    """A fraction at the working precision."""
    return mpf(value.numerator) / value.denominator
