"""Fine-tune a pretrained sentence encoder on local text and certify the classifier."""
