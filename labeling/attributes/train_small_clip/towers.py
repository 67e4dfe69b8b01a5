"""The two towers as a config of open_clip, and texts at the length they have."""

from typing import Any

from labeling.attributes.train_small_clip.recipe import Recipe

MEAN, STD = (0.55, 0.5, 0.5), (0.27, 0.27, 0.27)  # near those of the drawings


def config_of(recipe: Recipe, vocabulary: int) -> dict[str, Any]:
    """Return open_clip_config.json: a small ResNet, a small transformer, whole pictures squashed.

    ``vocabulary`` is how many tokens the tokenizer has. Squashing shows hems and hats that a crop
    to the middle would cut away.
    """
    return {
        "model_cfg": {
            "embed_dim": recipe.embedding,
            "vision_cfg": {
                "image_size": recipe.side,
                "layers": list(recipe.layers),
                "width": recipe.width,
                "patch_size": None,
            },
            "text_cfg": {
                "context_length": recipe.context,
                "vocab_size": vocabulary,
                "width": recipe.text_width,
                "heads": recipe.text_width // 32,
                "layers": recipe.text_layers,
            },
        },
        "preprocess_cfg": {
            "mean": list(MEAN),
            "std": list(STD),
            "interpolation": "bicubic",
            "resize_mode": "squash",
        },
    }
