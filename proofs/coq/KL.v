(** * The binary relative entropy: sign, monotonicity, Pinsker, and its inverse. *)

From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From Majorant Require Import Definitions Powers.
From Majorant Require Statements.
Open Scope R_scope.

Lemma kl_split q r : 0 <= q <= 1 -> 0 < r < 1 ->
  kl q r = q * ln q + (1 - q) * ln (1 - q) - q * ln r - (1 - q) * ln (1 - r).
Proof.
  intros Hq Hr. unfold kl.
  destruct (Req_dec q 0) as [->|Q0].
  { replace (1 - 0) with 1 by ring. rewrite (ln_div 1), ln_1 by lra. ring. }
  destruct (Req_dec q 1) as [->|Q1].
  { replace (1 - 1) with 0 by ring. rewrite (ln_div 1), ln_1 by lra. ring. }
  rewrite !ln_div by lra. ring.
Qed.

Lemma kl_diagonal q : 0 <= q <= 1 -> kl q q = 0.
Proof.
  intros Hq. unfold kl.
  assert (A : q * ln (q / q) = 0).
  { destruct (Req_dec q 0) as [->|]; [ring|]. replace (q / q) with 1 by (field; assumption). rewrite ln_1. ring. }
  assert (B : (1 - q) * ln ((1 - q) / (1 - q)) = 0).
  { destruct (Req_dec (1 - q) 0) as [->|]; [ring|].
    replace ((1 - q) / (1 - q)) with 1 by (field; assumption). rewrite ln_1. ring. }
  lra.
Qed.

Lemma kl_symmetric q r : kl (1 - q) (1 - r) = kl q r.
Proof. unfold kl. replace (1 - (1 - q)) with q by ring. replace (1 - (1 - r)) with r by ring. ring. Qed.

Lemma log_ratio_ge x y : 0 < x -> 0 < y -> x - y <= x * (ln x - ln y).
Proof.
  intros Hx Hy. pose proof (ln_ge_tangent (x / y) (Rdiv_lt_0_compat _ _ Hx Hy)) as H.
  rewrite ln_div in H by assumption. replace (/ (x / y)) with (y / x) in H by (field; lra).
  replace (x - y) with (x * (1 - y / x)) by (field; lra). apply Rmult_le_compat_l; lra.
Qed.

(** Gibbs. *)
Theorem kl_nonneg q r : 0 <= q <= 1 -> 0 < r < 1 -> 0 <= kl q r.
Proof.
  intros Hq Hr. rewrite kl_split by assumption.
  assert (A : q - r <= q * ln q - q * ln r).
  { destruct (Req_dec q 0) as [->|]; [rewrite !Rmult_0_l; lra|].
    pose proof (log_ratio_ge q r ltac:(lra) ltac:(lra)). lra. }
  assert (B : r - q <= (1 - q) * ln (1 - q) - (1 - q) * ln (1 - r)).
  { destruct (Req_dec q 1) as [->|]; [replace (1 - 1) with 0 by ring; rewrite !Rmult_0_l; lra|].
    pose proof (log_ratio_ge (1 - q) (1 - r) ltac:(lra) ltac:(lra)). lra. }
  lra.
Qed.

(** Above [q] the entropy increases with [r]. *)
Theorem kl_increasing_in_r q r r' : 0 <= q -> q <= r -> 0 < r -> r <= r' -> r' < 1 -> kl q r <= kl q r'.
Proof.
  intros Hq Hqr Hr Hrr Hr'. rewrite !kl_split by lra.
  pose proof (log_ratio_ge r r' ltac:(lra) ltac:(lra)) as A.
  pose proof (log_ratio_ge (1 - r) (1 - r') ltac:(lra) ltac:(lra)) as B.
  assert (A2 : q * ((r - r') / r) <= q * (ln r - ln r')).
  { apply Rmult_le_compat_l; [lra|]. apply div_le_l; lra. }
  assert (B2 : (1 - q) * ((r' - r) / (1 - r)) <= (1 - q) * (ln (1 - r) - ln (1 - r'))).
  { apply Rmult_le_compat_l; [lra|]. apply div_le_l; lra. }
  assert (0 <= q * ((r - r') / r) + (1 - q) * ((r' - r) / (1 - r))).
  { replace (q * ((r - r') / r) + (1 - q) * ((r' - r) / (1 - r)))
      with ((r' - r) * (r - q) / (r * (1 - r))) by (field; lra).
    apply div_nonneg; [apply Rmult_le_pos; lra | nra]. }
  lra.
Qed.

(** Below [r] it decreases with [q]. *)
Theorem kl_decreasing_in_q q q' r : 0 <= q -> q <= q' -> q' <= r -> 0 < r < 1 -> kl q' r <= kl q r.
Proof.
  intros Hq Hqq Hqr Hr. destruct (Req_dec q' 0) as [Z|Z].
  { replace q with q' by lra. lra. }
  pose proof (kl_nonneg q q' ltac:(lra) ltac:(lra)) as G. rewrite kl_split in G by lra.
  rewrite !kl_split by lra.
  assert (ln q' <= ln r) by (apply ln_le; lra).
  assert (ln (1 - r) <= ln (1 - q')) by (apply ln_le; lra). nra.
Qed.

(** ** Pinsker *)

Lemma pinsker_zero r : 0 < r < 1 -> 2 * (0 - r) ^ 2 <= kl 0 r.
Proof.
  intros Hr. rewrite kl_split by lra. replace (1 - 0) with 1 by ring. rewrite ln_1.
  set (f := fun x => - ln (1 - x) - 2 * x ^ 2).
  destruct (MVT_gen f 0 r (fun x => / (1 - x) - 4 * x)) as [x [Hx E]].
  - rewrite Rmin_left, Rmax_right by lra. intros x Hx. unfold f. auto_derive; [lra | field; lra].
  - rewrite Rmin_left, Rmax_right by lra. intros x Hx. unfold f.
    apply continuity_pt_filterlim, (ex_derive_continuous f). unfold f. auto_derive. lra.
  - rewrite Rmin_left, Rmax_right in Hx by lra. unfold f in E at 2. rewrite Rminus_0_r, ln_1 in E.
    assert (0 <= (/ (1 - x) - 4 * x) * (r - 0)).
    { apply Rmult_le_pos; [|lra]. replace (/ (1 - x) - 4 * x) with ((1 - 2 * x) ^ 2 / (1 - x)) by (field; lra).
      apply div_nonneg; [apply pow2_ge_0 | lra]. }
    unfold f in E. lra.
Qed.

Theorem pinsker q r : 0 <= q <= 1 -> 0 < r < 1 -> 2 * (q - r) ^ 2 <= kl q r.
Proof.
  intros Hq Hr. destruct (Req_dec q 0) as [->|Q0]; [now apply pinsker_zero|].
  destruct (Req_dec q 1) as [->|Q1].
  { rewrite <- kl_symmetric. replace (2 * (1 - r) ^ 2) with (2 * (0 - (1 - r)) ^ 2) by ring.
    replace (1 - 1) with 0 by ring. apply pinsker_zero. lra. }
  rewrite kl_split by lra.
  set (f := fun x => - q * ln x - (1 - q) * ln (1 - x) - 2 * (q - x) ^ 2).
  destruct (MVT_gen f q r (fun x => (x - q) * (1 - 2 * x) ^ 2 / (x * (1 - x)))) as [x [Hx E]].
  - intros x Hx. assert (0 < x < 1) by (unfold Rmin, Rmax in Hx; destruct (Rle_dec q r); lra).
    unfold f. auto_derive; [lra | field; lra].
  - intros x Hx. assert (0 < x < 1) by (unfold Rmin, Rmax in Hx; destruct (Rle_dec q r); lra).
    apply continuity_pt_filterlim, (ex_derive_continuous f). unfold f. auto_derive. lra.
  - assert (Hx1 : 0 < x < 1) by (unfold Rmin, Rmax in Hx; destruct (Rle_dec q r); lra).
    assert (P : 0 <= (x - q) * (1 - 2 * x) ^ 2 / (x * (1 - x)) * (r - q)).
    { replace ((x - q) * (1 - 2 * x) ^ 2 / (x * (1 - x)) * (r - q))
        with ((x - q) * (r - q) * (1 - 2 * x) ^ 2 / (x * (1 - x))) by (field; lra).
      apply div_nonneg; [|nra]. apply Rmult_le_pos; [|apply pow2_ge_0].
      unfold Rmin, Rmax in Hx; destruct (Rle_dec q r); nra. }
    unfold f in E. replace (q - q) with 0 in E by ring. lra.
Qed.

(** ** The inverse *)

Lemma inverse_above q c x : 0 <= q < 1 -> 0 <= c -> is_kl_inverse q c x -> q <= x.
Proof. intros Hq Hc [U _]. apply U. split; [lra|]. rewrite kl_diagonal; lra. Qed.

(** What is beyond the supremum exceeds. *)
Theorem exceeds_inverse q c x R : 0 <= q < 1 -> 0 <= c -> is_kl_inverse q c x -> x < R -> exceeds q c R.
Proof.
  intros Hq Hc H HxR. pose proof (inverse_above q c x Hq Hc H). split; [lra|]. intros HR.
  apply Rnot_le_lt. intros Hle. destruct H as [U _]. assert (R <= x) by (apply U; split; lra). lra.
Qed.

(** Pinsker's relaxation: [kl^{-1}(q, c) <= q + sqrt (c/2)]. *)
Theorem inverse_below_pinsker q c x : 0 <= q < 1 -> 0 <= c -> is_kl_inverse q c x -> x <= q + sqrt (c / 2).
Proof.
  intros Hq Hc [_ L]. apply L. intros r [Hr Hk].
  destruct (Req_dec r 0) as [->|Hr0]; [pose proof (sqrt_pos (c / 2)); lra|].
  pose proof (pinsker q r ltac:(lra) ltac:(lra)) as P.
  assert (r - q <= sqrt (c / 2)). { apply le_sqrt_of_square. nra. } lra.
Qed.

Theorem inverse_monotone q q' c c' x x' : 0 <= q -> q <= q' -> q' < 1 -> 0 <= c -> c <= c' ->
  is_kl_inverse q c x -> is_kl_inverse q' c' x' -> x <= x'.
Proof.
  intros Hq Hqq Hq' Hc Hcc [_ L] H'. apply L. intros r [Hr Hk].
  pose proof (inverse_above q' c' x' ltac:(lra) ltac:(lra) H') as A.
  destruct (Rle_dec q' r) as [K|K]; [|lra]. destruct H' as [U' _]. apply U'. split; [lra|].
  destruct (Req_dec r 0) as [->|Hr0].
  { replace q' with q by lra. lra. }
  pose proof (kl_decreasing_in_q q q' r ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)). lra.
Qed.

(** ** The statements *)

Theorem PINSKER : Statements.PINSKER.
Proof. intros q r Hq _ Hq1 Hr Hr1. apply pinsker; lra. Qed.

Theorem inverse_increases : Statements.inverse_increases.
Proof.
  intros delta entropy high low n price q q' Hd He _ _ Hn Hp Hq _ Hlow Hhigh Hqq Hq' Hd1.
  assert (Level : 0 <= (entropy + price + ln (1 / delta)) / n).
  { apply div_nonneg; [|lra]. assert (0 <= ln (1 / delta)); [|lra]. apply ln_nonneg, le_div_r; lra. }
  eapply (inverse_monotone q q' _ _ low high); try eassumption; lra.
Qed.
