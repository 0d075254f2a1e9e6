(** * U1-U3: what it costs to choose after seeing the weights. *)

From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From Majorant Require Import Definitions Sums Powers.
From Majorant Require Statements.
Open Scope R_scope.

(** ** U1: [2m+1] indices for each of [K] matrices *)

Theorem grid_price (m K : R) : 0 < m -> Rpower (2 * m + 1) K * exp (- (K * ln (2 * m + 1))) = 1.
Proof. intros Hm. unfold Rpower. rewrite <- exp_plus. replace (K * ln (2 * m + 1) + - (K * ln (2 * m + 1))) with 0 by ring. apply exp_0. Qed.

Theorem grid_weights_sum (m : nat) : sum_range 0 (2 * m) (fun _ => 1 / (2 * INR m + 1)) = 1.
Proof.
  rewrite sum_const. replace (S (2 * m) - 0)%nat with (2 * m + 1)%nat by lia.
  rewrite plus_INR, mult_INR. simpl. pose proof (pos_INR m). field. lra.
Qed.

(** ** U2: moving the index up by [d <= 1/m] *)

Section grid.
Variables (r : nat) (s : nat -> R) (C kappa N p d : R).
Hypotheses (Hr : (1 <= r)%nat) (Hs : forall i, (1 <= i <= r)%nat -> 0 < s i <= C).
Hypotheses (Htop : s 1%nat = C) (Hkappa : 0 < kappa) (HN : 0 < N) (Hp : 0 <= p) (Hd : 0 <= d).

Let S x := sum_range 1 r (fun i => Rpower (s i) x).

Lemma C_pos : 0 < C.
Proof. rewrite <- Htop. apply Hs. lia. Qed.

Lemma S_pos x : 0 < S x.
Proof.
  apply Rlt_le_trans with (Rpower (s 1%nat) x); [apply Rpower_pos|].
  apply (sum_term_le 1 r (fun i => Rpower (s i) x) 1%nat); [lia|]. intros. left. apply Rpower_pos.
Qed.

(** This is where [C = sigma_1] is used. *)
Lemma S_above_top x : x * ln C <= ln (S x).
Proof.
  rewrite <- (ln_Rpower C x). apply ln_le; [apply Rpower_pos|]. rewrite <- Htop.
  apply (sum_term_le 1 r (fun i => Rpower (s i) x) 1%nat); [lia|]. intros. left. apply Rpower_pos.
Qed.

Lemma S_step : ln (S (p + d)) <= ln (S p) + d * ln C.
Proof.
  rewrite <- (ln_Rpower C d), <- ln_mult by (try apply S_pos; apply Rpower_pos).
  apply ln_le; [apply S_pos|]. unfold S. rewrite <- sum_scal_r. apply sum_le. intros i Hi.
  rewrite Rpower_plus. apply Rmult_le_compat_l; [left; apply Rpower_pos|].
  apply Rpower_le_base; [apply Hs, Hi | apply Hs, Hi | assumption].
Qed.

Theorem grid_step_sharper :
  sqrt (N * S (p + d) * Rpower kappa (p + d))
  <= sqrt (N * S p * Rpower kappa p) * exp (d * Rmax 0 (ln (C * kappa)) / 2).
Proof.
  pose proof (S_pos p). pose proof (S_pos (p + d)). pose proof C_pos.
  pose proof S_step. pose proof (Rmax_r 0 (ln (C * kappa))) as M.
  set (u := Rmax 0 (ln (C * kappa))) in *. rewrite ln_mult in M by positive.
  apply ln_le_inv_exp; [positive | positive |].
  rewrite ln_mult, ln_exp, !ln_sqrt, !ln_mult, !ln_Rpower by positive.
  assert (d * (ln C + ln kappa) <= d * u) by (apply Rmult_le_compat_l; assumption).
  lra.
Qed.

Theorem grid_step_published :
  Rpower (S (p + d)) (1 / (p + d + 2)) * Rpower kappa ((p + d) / (p + d + 2))
    * Rpower N ((p + d + 1) / (p + d + 2))
  <= Rpower (S p) (1 / (p + 2)) * Rpower kappa (p / (p + 2)) * Rpower N ((p + 1) / (p + 2))
     * exp (d * (2 * Rmax 0 (ln (C * kappa)) + Rmax 0 (ln N)) / 4).
Proof.
  pose proof (S_pos p). pose proof (S_pos (p + d)). pose proof C_pos.
  pose proof S_step as A. pose proof (S_above_top p) as B.
  pose proof (Rmax_r 0 (ln (C * kappa))) as M1. pose proof (Rmax_r 0 (ln N)) as M2.
  pose proof (Rmax_l 0 (ln (C * kappa))) as M3. pose proof (Rmax_l 0 (ln N)) as M4.
  set (u := Rmax 0 (ln (C * kappa))) in *. set (v := Rmax 0 (ln N)) in *.
  rewrite ln_mult in M1 by positive.
  apply ln_le_inv_exp; [positive | positive |].
  rewrite !ln_mult, ln_exp, !ln_Rpower by positive.
  set (lc := ln C) in *. set (lk := ln kappa) in *. set (ln_N := ln N) in *.
  set (a := ln (S p)) in *. set (b := ln (S (p + d))) in *.
  (* compare with the value at b = a + d lc, then a difference of fractions *)
  set (X := a + p * lk + (p + 1) * ln_N). set (den := (p + 2) * (p + d + 2)).
  assert (Hden : 4 <= den) by (unfold den; nra).
  apply Rle_trans with ((a + d * lc + (p + d) * lk + (p + d + 1) * ln_N) / (p + d + 2)).
  { replace (1 / (p + d + 2) * b + (p + d) / (p + d + 2) * lk + (p + d + 1) / (p + d + 2) * ln_N)
      with ((b + (p + d) * lk + (p + d + 1) * ln_N) / (p + d + 2)) by (field; lra).
    unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | lra]. }
  replace ((a + d * lc + (p + d) * lk + (p + d + 1) * ln_N) / (p + d + 2))
    with (X / (p + 2) + d * ((p + 2) * (lc + lk) + ln_N - a - p * lk) / den)
    by (unfold X, den; field; split; lra).
  replace (1 / (p + 2) * a + p / (p + 2) * lk + (p + 1) / (p + 2) * ln_N) with (X / (p + 2))
    by (unfold X; field; lra).
  apply Rplus_le_compat_l.
  assert (T : (p + 2) * (lc + lk) + ln_N - a - p * lk <= 2 * u + v) by lra.
  apply Rle_trans with (d * (2 * u + v) / den).
  - unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
    now apply Rmult_le_compat_l.
  - apply div_le_compat; try lra. apply Rmult_le_pos; lra.
Qed.
End grid.

(** ** U3: weights of geometric grids *)

Definition grid_weight (j : nat) : R := 1 / ((INR j + 1) * (INR j + 2)).

Theorem weights_telescope (n : nat) :
  sum_range 0 n (fun j => 1 / ((INR j + 1) * (INR j + 2))) = 1 - 1 / (INR n + 2).
Proof.
  induction n as [|n IH].
  - unfold sum_range. simpl. field.
  - rewrite sum_S, IH by lia. rewrite S_INR. pose proof (pos_INR n). field. lra.
Qed.

(** All integers with [|j| <= n], zero counted once. *)
Theorem weights_at_most_one (n : nat) :
  2 / 3 * (2 * sum_range 0 n (fun j => 1 / ((INR j + 1) * (INR j + 2))) - 1 / 2) <= 1.
Proof.
  rewrite weights_telescope. pose proof (pos_INR n).
  assert (0 < 1 / (INR n + 2)) by (apply Rdiv_lt_0_compat; lra). lra.
Qed.

Theorem weights_sharp (c : R) : c < 1 ->
  exists n, c < 2 / 3 * (2 * sum_range 0 n (fun j => 1 / ((INR j + 1) * (INR j + 2))) - 1 / 2).
Proof.
  intros Hc. destruct (archimed_cor1 ((1 - c) / 2)) as [n [H1 H2]]; [lra|].
  exists n. rewrite weights_telescope. assert (0 < INR n) by (now apply lt_0_INR).
  assert (/ (INR n + 2) < / INR n) by (apply Rinv_lt_contravar; nra).
  replace (1 / (INR n + 2)) with (/ (INR n + 2)) by (unfold Rdiv; ring). lra.
Qed.

Theorem weights_series : is_series (fun j => 1 / ((INR j + 1) * (INR j + 2))) 1.
Proof.
  assert (L : is_lim_seq (fun n => 1 - 1 / (INR n + 2)) 1).
  { replace (Finite 1) with (Finite (1 - 0)) by (f_equal; ring).
    apply is_lim_seq_minus'; [apply is_lim_seq_const|].
    apply is_lim_seq_ext with (fun n => / (INR n + 2)); [intros n; unfold Rdiv; ring|].
    replace (Finite 0) with (Rbar_inv p_infty) by reflexivity.
    apply is_lim_seq_inv; [|discriminate].
    eapply is_lim_seq_plus; [apply is_lim_seq_INR | apply is_lim_seq_const | reflexivity]. }
  assert (E : forall n, sum_n (fun j => 1 / ((INR j + 1) * (INR j + 2))) n = 1 - 1 / (INR n + 2)).
  { intros n. rewrite <- weights_telescope. induction n as [|n IH].
    - rewrite sum_O. unfold sum_range. simpl. ring.
    - rewrite sum_Sn, IH, sum_S by lia. reflexivity. }
  intros P HP. destruct (L P HP) as [n0 H]. exists n0. intros n Hn. rewrite E. now apply H.
Qed.

Theorem weight_price (j : R) : 0 <= j ->
  ln (1 / (2 / 3 * (1 / ((j + 1) * (j + 2))))) = ln (3 / 2) + ln ((j + 1) * (j + 2)).
Proof.
  intros Hj. assert (0 < (j + 1) * (j + 2)) by nra. rewrite <- ln_mult by lra. f_equal. field. lra.
Qed.

(** ** The statements *)

Theorem U1 : Statements.U1.
Proof.
  intros K m _ Hm. replace (1 + 2 * m) with (2 * m + 1) by ring. apply grid_price. lra.
Qed.

Theorem U2_moment : Statements.U2_moment.
Proof.
  intros C h p x y HC Hh Hp Hx Hy HxC HyC. rewrite !Rpower_plus.
  assert (Rpower x h <= Rpower C h) by (apply Rpower_le_base; lra).
  assert (Rpower y h <= Rpower C h) by (apply Rpower_le_base; lra).
  pose proof (Rpower_pos x p). pose proof (Rpower_pos y p). nra.
Qed.

Theorem U2_schatten : Statements.U2_schatten.
Proof.
  intros C N S_ h kappa p HC HN HS Hh Hk Hp. unfold log_plus.
  pose proof (Rmax_r 0 (ln (C * kappa))) as M. set (u := Rmax 0 (ln (C * kappa))) in *.
  rewrite ln_mult in M by lra.
  apply ln_le_inv_exp; [positive | positive |].
  rewrite !ln_mult, ln_exp, !ln_Rpower by positive.
  assert (h * (ln C + ln kappa) <= h * u) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Theorem U3_telescopes : Statements.U3_telescopes.
Proof.
  intros n. pose proof (weights_telescope n) as H. rewrite (Rplus_comm (INR n)) in H. rewrite <- H.
  apply sum_ext. intros j _. now rewrite (Rplus_comm 1), (Rplus_comm 2).
Qed.

Theorem U3_two_sided : Statements.U3_two_sided.
Proof. intros n Hn. assert (0 < 4 / (3 * (2 + n))) by (apply Rdiv_lt_0_compat; lra). lra. Qed.

Theorem U2 : Statements.U2.
Proof.
  intros C N S_ T h kappa m p HC HN HS HT Hh Hk Hm Hp H Hhm. unfold log_plus.
  pose proof (Rmax_r 0 (ln (C * kappa))) as M. pose proof (Rmax_l 0 (ln (C * kappa))) as M0.
  set (u := Rmax 0 (ln (C * kappa))) in *. rewrite ln_mult in M by lra.
  assert (LT : ln T <= h * ln C + ln S_).
  { rewrite <- (ln_Rpower C h), <- ln_mult by positive. now apply ln_le. }
  apply ln_le_inv_exp; [positive | positive |].
  rewrite !ln_mult, ln_exp, !ln_Rpower, !ln_sqrt by positive.
  assert (h * (ln C + ln kappa) <= h * u) by (apply Rmult_le_compat_l; lra).
  assert (h * u <= 1 / m * u) by (apply Rmult_le_compat_r; lra).
  replace (u / (2 * m)) with (1 / m * u / 2) by (field; lra). lra.
Qed.

Theorem U2_published : Statements.U2_published.
Proof.
  intros C N S_ T d kappa m p HC HN HS HT Hd Hk Hm Hp H Top Hdm HN1. unfold log_plus.
  pose proof (Rmax_r 0 (ln (C * kappa))) as M1. pose proof (Rmax_l 0 (ln (C * kappa))) as M3.
  set (u := Rmax 0 (ln (C * kappa))) in *. rewrite ln_mult in M1 by lra.
  assert (A : ln T <= d * ln C + ln S_).
  { rewrite <- (ln_Rpower C d), <- ln_mult by positive. now apply ln_le. }
  assert (B : p * ln C <= ln S_).
  { rewrite <- (ln_Rpower C p). apply ln_le; [apply Rpower_pos | lra]. }
  assert (M4 : 0 <= ln N) by (apply ln_nonneg; lra).
  apply ln_le_inv_exp; [positive | positive |].
  rewrite !ln_mult, ln_exp, !ln_Rpower by positive.
  set (lc := ln C) in *. set (lk := ln kappa) in *. set (v := ln N) in *.
  set (a := ln S_) in *. set (b := ln T) in *.
  set (X := a + p * lk + (p + 1) * v). set (den := (p + 2) * (p + d + 2)).
  assert (Hden : 4 <= den) by (unfold den; nra).
  apply Rle_trans with ((a + d * lc + (p + d) * lk + (p + d + 1) * v) / (p + d + 2)).
  { replace ((1 + d + p) / (2 + d + p) * v + 1 / (2 + d + p) * b + (d + p) / (2 + d + p) * lk)
      with ((b + (p + d) * lk + (p + d + 1) * v) / (p + d + 2)) by (field; lra).
    unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | lra]. }
  replace ((a + d * lc + (p + d) * lk + (p + d + 1) * v) / (p + d + 2))
    with (X / (p + 2) + d * ((p + 2) * (lc + lk) + v - a - p * lk) / den)
    by (unfold X, den; field; split; lra).
  replace ((1 + p) / (2 + p) * v + 1 / (2 + p) * a + p / (2 + p) * lk) with (X / (p + 2))
    by (unfold X; field; lra).
  apply Rplus_le_compat_l.
  assert (T2 : (p + 2) * (lc + lk) + v - a - p * lk <= v + 2 * u) by lra.
  apply Rle_trans with (d * (v + 2 * u) / den).
  - unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
    apply Rmult_le_compat_l; lra.
  - apply Rle_trans with (1 / m * (v + 2 * u) / 4).
    + apply div_le_compat; try lra; [apply Rmult_le_pos; lra | apply Rmult_le_compat_r; lra].
    + right. field. lra.
Qed.
