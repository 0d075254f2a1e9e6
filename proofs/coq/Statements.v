(** * What is proved: one proposition per result, named as in the theory notes.

    Each is the form in which the formula of the library prints itself, so that a printed statement
    is accepted by conversion alone. The proofs are in the file named in each heading; together with
    [Definitions.v] this is all that a reader has to check. *)

From Coq Require Import Reals List.
From Coquelicot Require Import Coquelicot.
From Majorant Require Import Definitions.
Open Scope R_scope.

(** ** Comparison.v: the published functional form against the sharper ones *)

(** The published contribution is a weighted geometric mean of the Schatten one and the width. *)
Definition D1 : Prop :=
  forall (N S_ kappa p : R),
    N > 0 -> S_ > 0 -> kappa > 0 -> p >= 0 ->
    Rpower N ((1 + p) / (2 + p)) * Rpower S_ (1 / (2 + p)) * Rpower kappa (p / (2 + p))
    = Rpower N (p / (2 + p)) * Rpower (sqrt N * sqrt S_ * Rpower kappa (p / 2)) (2 / (2 + p)).

(** The smaller of the Schatten contributions at 0 and at [p] is below the published one. *)
Definition D2 : Prop :=
  forall (N S_ kappa p rank : R),
    N > 0 -> S_ > 0 -> kappa > 0 -> p >= 0 -> rank > 0 ->
    rank <= N ->
    Rmin (sqrt N * sqrt rank) (sqrt N * sqrt S_ * Rpower kappa (p / 2))
    <= Rpower N ((1 + p) / (2 + p)) * Rpower S_ (1 / (2 + p)) * Rpower kappa (p / (2 + p)).

(** The envelope's leading factor is below every Schatten factor. *)
Definition D3 : Prop :=
  forall (N c kappa p : R) (r : nat) (sigma : nat -> R),
    N > 0 -> c > 0 -> kappa > 0 -> p >= 0 ->
    (forall i : nat, sigma i >= 0) ->
    p < 2 ->
    (forall i : nat, (1 <= i)%nat -> sigma (i + 1)%nat <= sigma i) ->
    sqrt N * sum_range 1 r (fun i => (sqrt (INR i) - sqrt (INR i - 1)) * Rmin c (kappa * sigma i))
    <= sqrt N * Rpower c (1 - p / 2) * Rpower kappa (p / 2)
       * sqrt (sum_range 1 r (fun i => positive_power (sigma i) p)) / (1 - p / 2).

(** Its step: the discrete form of [int x^(q-1) dx = x^q / q]. *)
Definition D3_step : Prop :=
  forall (q x y : R),
    q > 0 -> x > 0 -> y > 0 -> y <= x -> q <= 1 ->
    Rpower x (q - 1) * (x - y) <= (Rpower x q - Rpower y q) / q.
