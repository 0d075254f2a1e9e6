(** * A function is non-negative if it starts so and its derivative pushes it the right way. *)

From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From Majorant Require Import Definitions Powers.
Open Scope R_scope.

Lemma mvt f f' a b : a < b -> (forall x, a <= x <= b -> is_derive f x (f' x)) ->
  exists x, a <= x <= b /\ f b - f a = f' x * (b - a).
Proof.
  intros Hab D. destruct (MVT_gen f a b f') as [x [Hx E]].
  - intros x Hx. rewrite Rmin_left, Rmax_right in Hx by lra. apply D. lra.
  - intros x Hx. rewrite Rmin_left, Rmax_right in Hx by lra. apply continuity_pt_filterlim.
    apply (ex_derive_continuous f). exists (f' x). now apply D.
  - rewrite Rmin_left, Rmax_right in Hx by lra. now exists x.
Qed.

Theorem nonneg_on_interval f f' a b : 0 <= f a ->
  (forall x, a <= x <= b -> is_derive f x (f' x)) -> (forall x, a <= x <= b -> 0 <= f' x) ->
  forall x, a <= x <= b -> 0 <= f x.
Proof.
  intros Ha D P x [[H1| ->] H2]; [|assumption].
  destruct (mvt f f' a x H1) as [y [Hy E]]; [intros; apply D; lra|].
  assert (0 <= f' y * (x - a)) by (apply Rmult_le_pos; [apply P; lra | lra]). lra.
Qed.

Theorem nonneg_from f f' a : 0 <= f a ->
  (forall x, a <= x -> is_derive f x (f' x)) -> (forall x, a <= x -> 0 <= f' x) ->
  forall x, a <= x -> 0 <= f x.
Proof.
  intros Ha D P x Hx. apply (nonneg_on_interval f f' a x); try assumption; try lra; intros; [apply D | apply P]; lra.
Qed.

Theorem nonneg_on_interval_left f f' a b : 0 <= f b ->
  (forall x, a <= x <= b -> is_derive f x (f' x)) -> (forall x, a <= x <= b -> f' x <= 0) ->
  forall x, a <= x <= b -> 0 <= f x.
Proof.
  intros Hb D P x [H1 [H2| ->]]; [|assumption].
  destruct (mvt f f' x b H2) as [y [Hy E]]; [intros; apply D; lra|].
  assert (0 <= - f' y * (b - x)) by (apply Rmult_le_pos; [pose proof (P y ltac:(lra)); lra | lra]). lra.
Qed.

Theorem nonneg_until f f' b : 0 <= f b ->
  (forall x, x <= b -> is_derive f x (f' x)) -> (forall x, x <= b -> f' x <= 0) ->
  forall x, x <= b -> 0 <= f x.
Proof.
  intros Hb D P x Hx. apply (nonneg_on_interval_left f f' x b); try assumption; try lra; intros; [apply D | apply P]; lra.
Qed.

(** ** The hyperbolic cosine under the Gaussian *)

Lemma slope_of_cosh x : 0 <= x -> 0 <= x * (exp x + exp (- x)) - (exp x - exp (- x)).
Proof.
  intros Hx. apply (nonneg_from (fun x => x * (exp x + exp (- x)) - (exp x - exp (- x)))
    (fun x => x * (exp x - exp (- x))) 0); try assumption.
  - rewrite Ropp_0. lra.
  - intros y _. auto_derive; [trivial | ring].
  - intros y Hy. apply Rmult_le_pos; [assumption|]. pose proof (exp_le (- y) y ltac:(lra)). lra.
Qed.

Lemma cosh_bound_nonneg x : 0 <= x -> (exp x + exp (- x)) / 2 <= exp (x ^ 2 / 2).
Proof.
  intros Hx. assert (P : forall y, 0 < (exp y + exp (- y)) / 2).
  { intros y. pose proof (exp_pos y). pose proof (exp_pos (- y)). lra. }
  apply ln_le_inv_exp; [apply P | apply exp_pos |]. rewrite ln_exp.
  assert (0 <= x ^ 2 / 2 - ln ((exp x + exp (- x)) / 2)); [|lra].
  apply (nonneg_from (fun x => x ^ 2 / 2 - ln ((exp x + exp (- x)) / 2))
    (fun x => (x * (exp x + exp (- x)) - (exp x - exp (- x))) / (exp x + exp (- x))) 0); try assumption.
  - rewrite Ropp_0, exp_0. replace ((1 + 1) / 2) with 1 by field. rewrite ln_1. lra.
  - intros y _. pose proof (P y). auto_derive; [exact H | field]. lra.
  - intros y Hy. apply div_nonneg; [now apply slope_of_cosh | pose proof (P y); lra].
Qed.

Theorem cosh_bound x : (exp x + exp (- x)) / 2 <= exp (x ^ 2 / 2).
Proof.
  destruct (Rle_dec 0 x) as [H|H]; [now apply cosh_bound_nonneg|].
  pose proof (cosh_bound_nonneg (- x) ltac:(lra)) as K. rewrite Ropp_involutive in K.
  replace ((- x) ^ 2) with (x ^ 2) in K by ring. lra.
Qed.
