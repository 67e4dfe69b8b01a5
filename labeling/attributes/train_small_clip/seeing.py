"""The towers while they learn: pictures at any size, texts at the length they have."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import interpolate, normalize

_STRIDE = 32  # of the last feature map of open_clip's ResNet


def seen(network: Any, pictures: Tensor) -> Tensor:
    """Return (n, d) of pictures, which may be smaller than the model's own size.

    What is seen of smaller ones is stretched to the grid that attention knows the places of.
    """
    tower = network.visual
    grid = tower.image_size // _STRIDE
    features = tower.layer4(tower.layer3(tower.layer2(tower.layer1(tower.stem(pictures)))))
    if features.shape[-1] != grid:
        features = interpolate(features, size=(grid, grid), mode="bilinear")
    found: Tensor = tower.attnpool(features).float()
    return found


def said(network: Any, tokenizer: Any, texts: Sequence[str]) -> Tensor:
    """Return (n, d) of texts, of length 1; equals ``encode_text``, which pads all to the context.

    Three quarters of the padding, and of the time, are saved.
    """
    tokens = tokenizer(list(texts))
    longest = int((tokens != 0).sum(dim=1).max())
    tokens = tokens[:, :longest]
    words = network.token_embedding(tokens) + network.positional_embedding[:longest]
    words = network.transformer(words, attn_mask=network.attn_mask[:longest, :longest])
    ends = network.ln_final(words)[torch.arange(len(tokens)), tokens.argmax(dim=-1)]
    found: Tensor = normalize((ends @ network.text_projection).float(), dim=-1)
    return found
