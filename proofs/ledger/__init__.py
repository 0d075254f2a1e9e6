"""The ledger: which claims each lemma rests on, and who proved them."""

from majorant.proofs.ledger.discharge import Discharged as Discharged
from majorant.proofs.ledger.discharge import discharge as discharge
from majorant.proofs.ledger.shipped import closure as closure
from majorant.proofs.ledger.shipped import shipped_lemmas as shipped_lemmas
from majorant.proofs.ledger.verify import Ledger as Ledger
from majorant.proofs.ledger.verify import verify as verify
