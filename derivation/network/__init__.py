"""Networks as data, and the propagation of norms through them (A3-A5)."""

from majorant.derivation.network.faithful import post_norm_encoder as post_norm_encoder
from majorant.derivation.network.faithful import pre_norm_decoder as pre_norm_decoder
from majorant.derivation.network.families import normalized as normalized
from majorant.derivation.network.json_form import from_json as from_json
from majorant.derivation.network.json_form import to_json as to_json
from majorant.derivation.network.propagation import Propagation as Propagation
from majorant.derivation.network.propagation import parameters as parameters
from majorant.derivation.network.propagation import propagate as propagate
from majorant.derivation.network.stages import Network as Network
from majorant.derivation.network.stages import Parameter as Parameter
