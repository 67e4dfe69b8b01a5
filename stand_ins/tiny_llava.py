"""A LLaVA of 0.16 million random weights that llama.cpp serves: noise, but noise of the picture.

It is written as the two GGUF files of any such model: a llama text model, and a CLIP picture
tower with a two-layer projector. The weights are hashes of their tensor's name, so that the files
are the same bytes wherever they are made. One channel of the text model is set by hand, or the
answers would be unreadable: it tells whole words from all other tokens, and by it an answer is
one word of ``WORDS`` and ends after it.
"""

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from gguf import GGUFWriter, TokenType
from numpy.typing import NDArray

Weights = NDArray[np.float32]

WORDS = ("yes", "no", "unsure", "Yes", "No", "▁yes", "▁no", "▁Yes", "▁No")  # ▁ is a space
TOKENS_OF_A_PICTURE = 16  # the patches of the tower's square, whatever the picture's size
LONGEST_CONTEXT = 4096  # tokens; about as many characters of a prompt

_SEED = 10  # of twelve that were tried: says yes, no and unsure about equally often
_LAYERS = 2
_HEADS = 4

_WIDTH = 64
_INNER = 128
_MARK = 0  # the channel that is above zero for words and below it for all else
_MARK_SIZE = 12.0

_TOWER_WIDTH = 32
_TOWER_INNER = 64
_SIDE = 32  # pixels
_PATCH = 8  # pixels

_UNKNOWN, _START, _END = range(3)
_FIRST_LETTER = 3 + 256 + 1  # after the three above, the bytes and the space
_TEMPLATE = (
    "{% for message in messages %}"
    "{{ message['role'] + ': ' + (message['content'] or '') + '\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}assistant:{% endif %}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TinyLlava:
    """The two files of the model."""

    text: Path
    projector: Path


def write_tiny_llava(folder: Path) -> TinyLlava:
    """Write the model into an existing folder, 0.65 MB in all."""
    files = TinyLlava(text=folder / "text.gguf", projector=folder / "mmproj.gguf")
    _write(files.text, "llama", _describe_text, _text_weights())
    _write(files.projector, "clip", _describe_tower, _tower_weights())
    return files


def _write(
    path: Path, kind: str, describe: Callable[[GGUFWriter], None], weights: dict[str, Weights]
) -> None:
    writer = GGUFWriter(path, kind)
    describe(writer)
    for name, values in weights.items():
        writer.add_tensor(name, values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _describe_text(writer: GGUFWriter) -> None:
    writer.add_name("tiny-llava")
    writer.add_context_length(LONGEST_CONTEXT)
    writer.add_embedding_length(_WIDTH)
    writer.add_feed_forward_length(_INNER)
    writer.add_block_count(_LAYERS)
    writer.add_head_count(_HEADS)
    writer.add_head_count_kv(_HEADS)
    writer.add_rope_dimension_count(_WIDTH // _HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    tokens, types = _vocabulary()
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    writer.add_token_scores([-float(rank) for rank in range(len(tokens))])
    writer.add_unk_token_id(_UNKNOWN)
    writer.add_bos_token_id(_START)
    writer.add_eos_token_id(_END)
    writer.add_add_space_prefix(False)
    writer.add_chat_template(_TEMPLATE)


def _vocabulary() -> tuple[list[str], list[TokenType]]:
    letters = ["▁", *map(chr, range(ord("!"), ord("~") + 1))]
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    types = [TokenType.UNKNOWN, TokenType.CONTROL, TokenType.CONTROL, *[TokenType.BYTE] * 256]
    types += [TokenType.NORMAL] * (len(letters) + len(WORDS))
    return [*tokens, *letters, *WORDS], types


def _text_weights() -> dict[str, Weights]:
    count = len(_vocabulary()[0])
    words = slice(count - len(WORDS), count)
    embedded = _drawn("token_embd", count, _WIDTH, deviation=1.0)
    embedded[:, _MARK] = -_MARK_SIZE
    embedded[words, _MARK] = _MARK_SIZE
    scores = _drawn("output", count, _WIDTH, deviation=0.01)
    scores[words] = _drawn("output of words", len(WORDS), _WIDTH, deviation=0.5)
    scores[:_FIRST_LETTER] = 0.0
    # words first, then letters, then bytes (which need not be UTF-8) and the space; after a word
    # it is the other way round, and the end comes before all of them
    scores[words, _MARK] = 0.0
    scores[_FIRST_LETTER : words.start, _MARK] = 8.0
    scores[:_FIRST_LETTER, _MARK] = 10.0
    scores[_END, _MARK] = 16.0
    weights = {
        "token_embd.weight": embedded,
        "output_norm.weight": _ones(_WIDTH),
        "output.weight": scores,
    }
    for layer in range(_LAYERS):
        weights |= _text_layer(f"blk.{layer}")
    return weights


def _text_layer(prefix: str) -> dict[str, Weights]:
    shapes = {
        "attn_q": (_WIDTH, _WIDTH),
        "attn_k": (_WIDTH, _WIDTH),
        "attn_v": (_WIDTH, _WIDTH),
        "attn_output": (_WIDTH, _WIDTH),
        "ffn_gate": (_INNER, _WIDTH),
        "ffn_up": (_INNER, _WIDTH),
        "ffn_down": (_WIDTH, _INNER),
    }
    weights = {f"{prefix}.{norm}.weight": _ones(_WIDTH) for norm in ("attn_norm", "ffn_norm")}
    for name, (rows, columns) in shapes.items():
        values = _drawn(f"{prefix}.{name}", rows, columns, deviation=2.0 / math.sqrt(columns))
        if name in ("attn_output", "ffn_down"):
            values[_MARK] = 0.0  # what is added to the stream leaves the mark as it was
        weights[f"{prefix}.{name}.weight"] = values
    return weights


def _describe_tower(writer: GGUFWriter) -> None:
    writer.add_clip_has_vision_encoder(True)
    writer.add_clip_projector_type("mlp")
    writer.add_vision_projection_dim(_WIDTH)
    writer.add_vision_image_size(_SIDE)
    writer.add_vision_patch_size(_PATCH)
    writer.add_vision_embedding_length(_TOWER_WIDTH)
    writer.add_vision_feed_forward_length(_TOWER_INNER)
    writer.add_vision_block_count(_LAYERS)
    writer.add_vision_head_count(_HEADS)
    writer.add_vision_attention_layernorm_eps(1e-5)
    writer.add_vision_image_mean([0.5, 0.5, 0.5])
    writer.add_vision_image_std([0.5, 0.5, 0.5])
    writer.add_vision_use_gelu(True)


def _tower_weights() -> dict[str, Weights]:
    width = _TOWER_WIDTH
    weights = {
        "v.class_embd": _drawn("v.class_embd", width, deviation=0.2),
        "v.patch_embd.weight": _drawn("v.patch_embd", width, 3, _PATCH, _PATCH, deviation=0.1),
        "v.position_embd.weight": _drawn(
            "v.position_embd", TOKENS_OF_A_PICTURE + 1, width, deviation=0.2
        ),
        **_norm("v.pre_ln"),
        **_norm("v.post_ln"),
    }
    for layer in range(_LAYERS):
        weights |= _tower_layer(f"v.blk.{layer}")
    last = _linear("mm.2", _WIDTH, _WIDTH, deviation=0.5)
    last["mm.2.weight"][_MARK] = 0.0
    last["mm.2.bias"][_MARK] = -_MARK_SIZE
    return weights | _linear("mm.0", _WIDTH, width, deviation=0.2) | last


def _tower_layer(prefix: str) -> dict[str, Weights]:
    weights = _norm(f"{prefix}.ln1") | _norm(f"{prefix}.ln2")
    for name in ("attn_q", "attn_k", "attn_v", "attn_out"):
        weights |= _linear(f"{prefix}.{name}", _TOWER_WIDTH, _TOWER_WIDTH, deviation=0.2)
    weights |= _linear(f"{prefix}.ffn_up", _TOWER_INNER, _TOWER_WIDTH, deviation=0.2)
    return weights | _linear(f"{prefix}.ffn_down", _TOWER_WIDTH, _TOWER_INNER, deviation=0.1)


def _linear(name: str, rows: int, columns: int, *, deviation: float) -> dict[str, Weights]:
    return {
        f"{name}.weight": _drawn(name, rows, columns, deviation=deviation),
        f"{name}.bias": np.zeros(rows, np.float32),
    }


def _norm(name: str) -> dict[str, Weights]:
    return {
        f"{name}.weight": _ones(_TOWER_WIDTH),
        f"{name}.bias": np.zeros(_TOWER_WIDTH, np.float32),
    }


def _ones(count: int) -> Weights:
    return np.ones(count, np.float32)


def _drawn(name: str, *shape: int, deviation: float) -> Weights:
    """Return uniform numbers of mean 0 that depend on the name alone."""
    data = hashlib.shake_256(f"tiny llava {_SEED} {name}".encode()).digest(4 * math.prod(shape))
    uniform = np.frombuffer(data, "<u4") / 2.0**31 - 1.0
    return (uniform * (deviation * math.sqrt(3.0))).reshape(shape).astype(np.float32)
