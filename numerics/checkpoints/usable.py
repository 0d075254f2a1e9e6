"""Weights that arithmetic can use: float64, finite, or an error that says why not."""

import torch

from majorant.derivation.errors import UnusableInput

_FLOATS = {"float64", "float32", "float16", "bfloat16"}


def dtype_name(dtype: torch.dtype) -> str:
    """The short name of a torch dtype.

    >>> dtype_name(torch.bfloat16)
    'bfloat16'
    """
    return str(dtype).removeprefix("torch.")


def require_float(name: str, dtype: str, file: str) -> None:
    """Refuse what is not a real floating-point weight, from the header alone.

    Raises `UnusableInput` for integers and 8-bit floats (codes of a quantized checkpoint: a norm
    of the codes is not a norm of the weights), for complex and for Boolean tensors.

    >>> require_float("w", "bfloat16", "model.safetensors")
    >>> require_float("w", "int8", "model.safetensors")
    Traceback (most recent call last):
        ...
    majorant.derivation.errors.UnusableInput: w in model.safetensors has dtype int8: these are \
the codes of a quantized weight, not the weight; expected float16, bfloat16, float32 or float64. \
Save the model dequantized.
    """
    if dtype in _FLOATS:
        return
    if dtype.startswith("complex"):
        reason = "complex weights have no place in these bounds"
        remedy = "Save real weights."
    elif dtype == "bool":
        reason = "a mask is not a weight"
        remedy = "Save the weights themselves."
    else:
        reason = "these are the codes of a quantized weight, not the weight"
        remedy = "Save the model dequantized."
    raise UnusableInput(
        f"{name} in {file} has dtype {dtype}: {reason}; expected float16, bfloat16, float32 or "
        f"float64. {remedy}"
    )


def as_float64(name: str, tensor: torch.Tensor, file: str) -> torch.Tensor:
    """The tensor in float64, on the CPU, dense and finite; any shape.

    Every float16, bfloat16 and float32 value is a float64 value, so nothing is rounded. Raises
    `UnusableInput` if an entry is NaN or infinite, with the number of such entries: a singular
    value routine would fail to converge on it, or answer with a wrong finite number.

    >>> as_float64("w", torch.tensor([1.0, 60000.0], dtype=torch.float16), "f").square().sum()
    tensor(3.6000e+09, dtype=torch.float64)
    """
    if tensor.layout != torch.strided or tensor.is_quantized:
        raise UnusableInput(
            f"{name} in {file} is stored as {tensor.layout}, quantized={tensor.is_quantized}: "
            "expected a plain dense tensor. Save it with .to_dense() or dequantized."
        )
    require_float(name, dtype_name(tensor.dtype), file)
    # A copy in any case: what was read may lie in a mapped file.
    wide = tensor.detach().to(device="cpu", dtype=torch.float64, copy=True)
    # One cheap pass: a sum is finite unless an entry is not (or it overflows, decided below).
    if not bool(torch.isfinite(wide.sum())):
        bad = int((~torch.isfinite(wide)).sum())
        if bad:
            raise UnusableInput(
                f"{name} in {file} has {bad} entries of {wide.numel()} that are NaN or infinite: "
                "expected finite weights. The checkpoint is damaged or its training diverged."
            )
    return wide
