"""Checkpoints: from a file, folder, hub id or `demo` to lazy matrices with their roles."""

from majorant.numerics.checkpoints.given import Given as Given
from majorant.numerics.checkpoints.layers import Attention as Attention
from majorant.numerics.checkpoints.layers import Dense as Dense
from majorant.numerics.checkpoints.layers import FeedForward as FeedForward
from majorant.numerics.checkpoints.layers import Norm as Norm
from majorant.numerics.checkpoints.model import Block as Block
from majorant.numerics.checkpoints.model import Dimensions as Dimensions
from majorant.numerics.checkpoints.model import Embedding as Embedding
from majorant.numerics.checkpoints.model import Model as Model
from majorant.numerics.checkpoints.model import Readout as Readout
from majorant.numerics.checkpoints.model import Skipped as Skipped
from majorant.numerics.checkpoints.model import Tied as Tied
from majorant.numerics.checkpoints.open import open_model as open_model
from majorant.numerics.checkpoints.source import Source as Source
from majorant.numerics.checkpoints.source import resolve as resolve
from majorant.numerics.checkpoints.view import View as View
