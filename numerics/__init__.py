"""What it evaluates to: checkpoints, spectra, kernels, balls, proposals."""
