"""The published proxies and the leading factors, from spectra, in the log domain."""

from majorant.numerics.proxies.assumptions import AssumptionReport as AssumptionReport
from majorant.numerics.proxies.assumptions import assumption_report as assumption_report
from majorant.numerics.proxies.factors import Factors as Factors
from majorant.numerics.proxies.factors import leading_factors as leading_factors
from majorant.numerics.proxies.gated import factor_log_sensitivities as factor_log_sensitivities
from majorant.numerics.proxies.grid import GridChoice as GridChoice
from majorant.numerics.proxies.grid import grid_choices as grid_choices
from majorant.numerics.proxies.grid import log_contributions as log_contributions
from majorant.numerics.proxies.proxies import Proxies as Proxies
from majorant.numerics.proxies.proxies import published_proxies as published_proxies
from majorant.numerics.proxies.proxies import reason_without as reason_without
from majorant.numerics.proxies.sensitivities import log_alphas as log_alphas
from majorant.numerics.proxies.sensitivities import log_sensitivities as log_sensitivities
