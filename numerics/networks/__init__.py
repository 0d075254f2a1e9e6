"""From checkpoints to network descriptions and their norms."""

from majorant.numerics.networks.describe import describe as describe
from majorant.numerics.networks.describe import describe_twin as describe_twin
from majorant.numerics.networks.source import DescribedNetwork as DescribedNetwork
from majorant.numerics.networks.source import ParameterSource as ParameterSource
