(** * Logarithms, exponentials and real powers: monotonicity, means, tangents.

    In Coq [Rpower 0 p = 1] and [ln x = 0] for [x <= 0]: every lemma asks for positive bases. *)

From Coq Require Import Reals Lra Lia Psatz.
From Majorant Require Import Definitions.
Open Scope R_scope.

(** Positivity of products, quotients and powers of positive things. *)
Ltac positive := repeat first
  [ assumption | apply exp_pos | apply Rmult_lt_0_compat | apply Rdiv_lt_0_compat | apply sqrt_lt_R0
  | apply Rinv_0_lt_compat | (unfold Rpower; apply exp_pos) | lra ].

Lemma ln_le x y : 0 < x -> x <= y -> ln x <= ln y.
Proof. intros Hx [H | ->]; [left; now apply ln_increasing | right; reflexivity]. Qed.

Lemma ln_nonneg x : 1 <= x -> 0 <= ln x.
Proof. intros H. rewrite <- ln_1. apply ln_le; lra. Qed.

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. intros [H | ->]; [left; now apply exp_increasing | right; reflexivity]. Qed.

Lemma exp_ge_tangent x : 1 + x <= exp x.
Proof. destruct (Req_dec x 0) as [->|H]; [rewrite exp_0; lra | left; now apply exp_ineq1]. Qed.

Lemma ln_le_tangent x : 0 < x -> ln x <= x - 1.
Proof. intros H. pose proof (exp_ge_tangent (ln x)) as T. rewrite exp_ln in T; lra. Qed.

Lemma ln_ge_tangent x : 0 < x -> 1 - / x <= ln x.
Proof.
  intros H. pose proof (ln_le_tangent (/ x) (Rinv_0_lt_compat _ H)) as T. rewrite ln_Rinv in T; lra.
Qed.

Lemma x_ln_ge x : 0 < x -> x - 1 <= x * ln x.
Proof.
  intros H. replace (x - 1) with (x * (1 - / x)) by (field; lra).
  apply Rmult_le_compat_l; [lra | now apply ln_ge_tangent].
Qed.

Lemma ln_above_exp u x : exp u <= x -> u <= ln x.
Proof. intros H. rewrite <- (ln_exp u) at 1. apply ln_le; [apply exp_pos | assumption]. Qed.

Lemma ln_div x y : 0 < x -> 0 < y -> ln (x / y) = ln x - ln y.
Proof. intros. unfold Rdiv. rewrite ln_mult, ln_Rinv; try assumption; [ring | now apply Rinv_0_lt_compat]. Qed.

Lemma ln_sqrt x : 0 < x -> ln (sqrt x) = ln x / 2.
Proof. intros. rewrite <- Rpower_sqrt by assumption. unfold Rpower. rewrite ln_exp. lra. Qed.

Lemma ln_Rpower x p : ln (Rpower x p) = p * ln x.
Proof. unfold Rpower. apply ln_exp. Qed.

Lemma Rpower_pos x p : 0 < Rpower x p.
Proof. apply exp_pos. Qed.

Lemma positive_power_nonneg x p : 0 <= positive_power x p.
Proof. unfold positive_power. destruct (Rlt_dec 0 x); [left; apply Rpower_pos | lra]. Qed.

Lemma Rpower_le_base x y p : 0 < x -> x <= y -> 0 <= p -> Rpower x p <= Rpower y p.
Proof. intros. apply Rle_Rpower_l; [assumption | split; assumption]. Qed.

Lemma one_below_power p t : 0 <= p -> 1 <= t -> 1 <= Rpower t p.
Proof.
  intros Hp Ht. replace 1 with (Rpower 1 p) at 1.
  - apply Rpower_le_base; lra.
  - unfold Rpower. rewrite ln_1, Rmult_0_r. apply exp_0.
Qed.

Lemma div_nonneg x y : 0 <= x -> 0 < y -> 0 <= x / y.
Proof. intros. apply Rmult_le_pos; [assumption | left; now apply Rinv_0_lt_compat]. Qed.

Lemma div_le_compat a b e f : 0 <= a -> a <= b -> 0 < f -> f <= e -> a / e <= b / f.
Proof.
  intros. unfold Rdiv. apply Rmult_le_compat; try assumption.
  - left. apply Rinv_0_lt_compat. lra.
  - apply Rinv_le_contravar; assumption.
Qed.

Lemma div_le_l x y z : 0 < z -> x <= y * z -> x / z <= y.
Proof. intros. apply Rmult_le_reg_r with z; [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.

Lemma le_div_r x y z : 0 < z -> x * z <= y -> x <= y / z.
Proof. intros. apply Rmult_le_reg_r with z; [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.

Lemma sqrt_le_of_square x y : 0 <= y -> x <= y ^ 2 -> sqrt x <= y.
Proof.
  intros Hy H. rewrite <- (sqrt_pow2 y Hy). now apply sqrt_le_1_alt.
Qed.

Lemma le_sqrt_of_square x y : x ^ 2 <= y -> x <= sqrt y.
Proof.
  intros H. apply Rle_trans with (Rabs x); [apply RRle_abs|].
  rewrite <- sqrt_Rsqr_abs. apply sqrt_le_1_alt. unfold Rsqr. lra.
Qed.

(** AM-GM with a free positive weight: the Jensen step for [sqrt]. *)
Lemma sqrt_le_weighted x t : 0 <= x -> 0 < t -> sqrt x <= (x / t + t) / 2.
Proof.
  intros Hx Ht. apply sqrt_le_of_square.
  - pose proof (div_nonneg x t Hx Ht). lra.
  - replace (((x / t + t) / 2) ^ 2) with (((x / t - t) / 2) ^ 2 + x) by (field; lra).
    pose proof (pow2_ge_0 ((x / t - t) / 2)). lra.
Qed.

Lemma abs_between x c : Rabs x <= c -> - c <= x <= c.
Proof. intros H. pose proof (RRle_abs x). pose proof (RRle_abs (- x)) as N. rewrite Rabs_Ropp in N. lra. Qed.

Lemma amgm2 x y : x * y <= (x ^ 2 + y ^ 2) / 2.
Proof. pose proof (pow2_ge_0 (x - y)). nra. Qed.

(** ** Weighted geometric means *)

Lemma ln_le_inv_exp x y : 0 < x -> 0 < y -> ln x <= ln y -> x <= y.
Proof. intros Hx Hy H. rewrite <- (exp_ln x Hx), <- (exp_ln y Hy). now apply exp_le. Qed.

Theorem geometric_mean_above_min x y t : 0 < x -> 0 < y -> 0 <= t <= 1 ->
  Rmin x y <= Rpower x t * Rpower y (1 - t).
Proof.
  intros Hx Hy Ht. assert (Hm : 0 < Rmin x y) by (now apply Rmin_glb_lt).
  apply ln_le_inv_exp; [assumption | apply Rmult_lt_0_compat; apply Rpower_pos |].
  rewrite ln_mult, !ln_Rpower by apply Rpower_pos.
  assert (ln (Rmin x y) <= ln x) by (apply ln_le; [assumption | apply Rmin_l]).
  assert (ln (Rmin x y) <= ln y) by (apply ln_le; [assumption | apply Rmin_r]). nra.
Qed.

Theorem geometric_mean_below_max x y t : 0 < x -> 0 < y -> 0 <= t <= 1 ->
  Rpower x t * Rpower y (1 - t) <= Rmax x y.
Proof.
  intros Hx Hy Ht. assert (Hm : 0 < Rmax x y) by (apply Rlt_le_trans with x; [assumption | apply Rmax_l]).
  apply ln_le_inv_exp; [apply Rmult_lt_0_compat; apply Rpower_pos | assumption |].
  rewrite ln_mult, !ln_Rpower by apply Rpower_pos.
  assert (ln x <= ln (Rmax x y)) by (apply ln_le; [assumption | apply Rmax_l]).
  assert (ln y <= ln (Rmax x y)) by (apply ln_le; [assumption | apply Rmax_r]). nra.
Qed.

(** Weighted arithmetic-geometric mean, by the tangent of the logarithm at the arithmetic mean. *)
Theorem weighted_amgm x y t : 0 < x -> 0 < y -> 0 <= t <= 1 ->
  Rpower x t * Rpower y (1 - t) <= t * x + (1 - t) * y.
Proof.
  intros Hx Hy Ht. set (m := t * x + (1 - t) * y).
  assert (Hm : 0 < m). { destruct (Req_dec t 0) as [->|]; unfold m; nra. }
  apply ln_le_inv_exp; [apply Rmult_lt_0_compat; apply Rpower_pos | assumption |].
  rewrite ln_mult, !ln_Rpower by apply Rpower_pos.
  pose proof (ln_le_tangent (x / m) (Rdiv_lt_0_compat _ _ Hx Hm)) as A.
  pose proof (ln_le_tangent (y / m) (Rdiv_lt_0_compat _ _ Hy Hm)) as B.
  rewrite ln_div in A, B by assumption.
  assert (E : t * (x / m - 1) + (1 - t) * (y / m - 1) = 0) by (unfold m; field; fold m; lra). nra.
Qed.

(** Tangent of a concave power at 1. *)
Lemma power_below_tangent t q : 0 < t -> 0 <= q <= 1 -> Rpower t q <= 1 + q * (t - 1).
Proof.
  intros Ht Hq. pose proof (weighted_amgm t 1 q Ht Rlt_0_1 Hq) as H.
  unfold Rpower at 2 in H. rewrite ln_1, Rmult_0_r, exp_0 in H. lra.
Qed.
