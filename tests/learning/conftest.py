"""Small tensors are quickest on one thread, the more so beside other tests."""

import torch

torch.set_num_threads(1)
