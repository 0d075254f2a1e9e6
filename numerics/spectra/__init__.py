"""Spectra: singular values of every matrix of a checkpoint, with proved ends where asked."""

from majorant.numerics.spectra.change import Change as Change
from majorant.numerics.spectra.change import change as change
from majorant.numerics.spectra.collection import Origin as Origin
from majorant.numerics.spectra.collection import SpectrumSet as SpectrumSet
from majorant.numerics.spectra.compute import iterate_spectra as iterate_spectra
from majorant.numerics.spectra.compute import spectra as spectra
from majorant.numerics.spectra.delta import delta_spectra as delta_spectra
from majorant.numerics.spectra.delta import matrix_delta as matrix_delta
from majorant.numerics.spectra.dense import dense_spectrum as dense_spectrum
from majorant.numerics.spectra.factored import Computed as Computed
from majorant.numerics.spectra.factored import SpectrumCheckFailed as SpectrumCheckFailed
from majorant.numerics.spectra.factored import factored_spectra as factored_spectra
from majorant.numerics.spectra.spectrum import ROLES as ROLES
from majorant.numerics.spectra.spectrum import Role as Role
from majorant.numerics.spectra.spectrum import Spectrum as Spectrum
from majorant.numerics.spectra.table import read_spectra as read_spectra
from majorant.numerics.spectra.table import write_spectra as write_spectra
