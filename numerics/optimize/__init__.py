"""The untrusted search for certificates: covers, grids, prices and C8's allocation."""

from majorant.numerics.optimize.allocation import Menu as Menu
from majorant.numerics.optimize.allocation import allocate as allocate
from majorant.numerics.optimize.allocation import equal_split as equal_split
from majorant.numerics.optimize.parameters import Parameter as Parameter
from majorant.numerics.optimize.parameters import read_parameters as read_parameters
