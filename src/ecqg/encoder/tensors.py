"""The tensors of a folder's safetensors files, taken one by one under their names."""

from __future__ import annotations

from pathlib import Path

import torch
from msgspec import Struct
from torch import nn

from ecqg.errors import InputError
from ecqg.files import read_as

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"


class _Index(Struct):
    weight_map: dict[str, str]  # weight -> file


class Tensors:
    """Names in `names`; a tensor is read when it is taken."""

    def __init__(self, folder: Path) -> None:
        """Raises InputError where the folder has no safetensors file."""
        from safetensors import safe_open

        self.file = weights_file(folder)
        files = [self.file]
        if self.file.name == INDEX:
            of_weights = read_as(self.file, _Index, "no index of weights").weight_map
            files = [folder / name for name in sorted({*of_weights.values()})]
        self._place: dict[str, Path] = {}
        for file in files:
            try:
                with safe_open(file, framework="pt") as tensors:
                    self._place.update(dict.fromkeys(tensors.keys(), file))
            except Exception as error:  # a file that is missing, cut off or of another format
                raise InputError(
                    f"cannot be loaded ({str(error).splitlines()[0]})",
                    file=file,
                    remedy="make it again",
                ) from error
        self.names = set(self._place)

    def take(self, name: str, shape: tuple[int | None, ...]) -> torch.Tensor:
        """A tensor in fp32; None in `shape` stands for any size. Raises InputError otherwise."""
        from safetensors import safe_open

        if name not in self.names:
            raise InputError(
                f"lacks weight {name}", file=self.file, remedy="give the whole model's weights"
            )
        with safe_open(self._place[name], framework="pt") as tensors:
            tensor: torch.Tensor = tensors.get_tensor(name)
        wrong = len(shape) != tensor.ndim or any(
            want not in (None, have) for want, have in zip(shape, tensor.shape, strict=True)
        )
        if wrong:
            raise InputError(
                f"weight {name} is {tuple(tensor.shape)}",
                file=self.file,
                remedy=f"it must be {tuple('any' if n is None else n for n in shape)}",
            )
        return tensor.float()

    def linear(self, name: str, inputs: int, *, bias: bool = True) -> nn.Linear:
        """A linear layer of that many inputs, from NAME.weight and NAME.bias."""
        weight = self.take(f"{name}.weight", (None, inputs))
        linear = nn.Linear(inputs, len(weight), bias=bias)
        linear.weight.data = weight
        if bias:
            linear.bias.data = self.take(f"{name}.bias", (len(weight),))
        return linear

    def norm(self, name: str, inputs: int) -> nn.LayerNorm:
        """A layer norm, from NAME.weight and NAME.bias."""
        norm = nn.LayerNorm(inputs)
        norm.weight.data = self.take(f"{name}.weight", (inputs,))
        norm.bias.data = self.take(f"{name}.bias", (inputs,))
        return norm


def weights_file(folder: Path) -> Path:
    """The safetensors file, or the index of several. Raises InputError where there is neither."""
    for name in (WEIGHTS, INDEX):
        if (folder / name).is_file():
            return folder / name
    if (folder / "pytorch_model.bin").is_file():
        raise InputError(
            "has only pytorch_model.bin, a pickle, which can run code when it is read",
            file=folder,
            remedy="write its tensors with safetensors.torch.save_file to model.safetensors "
            "(torch.load with weights_only=True reads them safely)",
        )
    raise InputError(
        f"no {WEIGHTS} or {INDEX}",
        file=folder,
        remedy="an encoder folder has config.json, model.safetensors and tokenizer.json",
    )
