"""The methods by which votes make labels; light, so that commands can name them in their help."""

from typing import Literal, get_args

Method = Literal["majority", "unweighted", "log-odds", "dawid-skene"]
METHODS: tuple[Method, ...] = get_args(Method)
BY_MAJORITY: tuple[Method, ...] = ("majority", "unweighted")
