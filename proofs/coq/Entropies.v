(** * Entropies: the algebra of C2, C6; monotonicity of C2, C3; the allocation of C8. *)

From Coq Require Import Reals Lra Lia Psatz.
From Majorant Require Import Definitions Sums Powers.
From Majorant Require Statements.
Open Scope R_scope.

(** C2: two balls of radius [sqrt C], covered at [eps / (2 sqrt C)], and the error of the product. *)
Theorem low_rank_radius C eps : 0 < C -> 0 < eps ->
  2 * sqrt C / (eps / (2 * sqrt C)) = 4 * C / eps.
Proof.
  intros HC He. rewrite <- (sqrt_sqrt C) at 3 by lra. assert (0 < sqrt C) by (now apply sqrt_lt_R0).
  field. lra.
Qed.

Theorem low_rank_error C eps : 0 < C -> 2 * sqrt C * (eps / (2 * sqrt C)) = eps.
Proof. intros HC. assert (0 < sqrt C) by (now apply sqrt_lt_R0). field. lra. Qed.

Theorem low_rank_entropy k N1 N2 C eps : 0 < C -> 0 < eps ->
  k * N1 * ln (1 + 2 * sqrt C / (eps / (2 * sqrt C))) + k * N2 * ln (1 + 2 * sqrt C / (eps / (2 * sqrt C)))
  = k * (N1 + N2) * ln (1 + 4 * C / eps).
Proof. intros. rewrite low_rank_radius by assumption. ring. Qed.

(** C2, C3: the entropy increases in rank, widths and norm, and decreases in the scale. *)
Theorem entropy_monotone k k' N1 N1' N2 N2' C C' u u' :
  0 <= k -> k <= k' -> 0 <= N1 -> N1 <= N1' -> 0 <= N2 -> N2 <= N2' -> 0 <= C -> C <= C' ->
  0 < u' -> u' <= u ->
  k * (N1 + N2) * ln (4 * C / u + 1) <= k' * (N1' + N2') * ln (4 * C' / u' + 1).
Proof.
  intros. assert (D : 0 <= 4 * C / u) by (apply div_nonneg; lra).
  assert (E : 4 * C / u <= 4 * C' / u') by (apply div_le_compat; lra).
  apply Rmult_le_compat; [apply Rmult_le_pos; lra | apply ln_nonneg; lra | |].
  - apply Rmult_le_compat; lra.
  - apply ln_le; lra.
Qed.

(** C6: cells of radius [eps/(4 b)] for the truncated part, tails more than [eps/2] apart. *)
Theorem truncation_radius C b eps : 0 < C -> 0 < b -> 0 < eps -> 4 * C / (eps / (4 * b)) = 16 * C * b / eps.
Proof. intros. field. lra. Qed.

Theorem truncation_tail F b g eps : 0 < eps ->
  2 * F ^ 2 * b ^ 2 * g ^ 2 / (eps / 2) ^ 2 = 8 * F ^ 2 * b ^ 2 * g ^ 2 / eps ^ 2.
Proof. intros. field. lra. Qed.

(** ** C8: for one multiplier, the stationary point is the global minimum *)

Section allocation.
Variables C d w : R.
Hypotheses (HC : 0 < C) (Hd : 0 < d) (Hw : 0 < w).

Let q := 4 * C * d / w.
Let best := q / (2 * C + sqrt (4 * C ^ 2 + q)).

Lemma q_pos : 0 < q.
Proof. unfold q. positive. Qed.

Lemma root_facts : 2 * C < sqrt (4 * C ^ 2 + q) /\ sqrt (4 * C ^ 2 + q) ^ 2 = 4 * C ^ 2 + q.
Proof.
  pose proof q_pos as Q. split.
  - rewrite <- (sqrt_pow2 (2 * C)) by lra. apply sqrt_lt_1_alt. nra.
  - apply pow2_sqrt. nra.
Qed.

Theorem stable_form : best = - (2 * C) + sqrt (4 * C ^ 2 + q).
Proof.
  destruct root_facts as [A B]. unfold best. set (s := sqrt _) in *.
  replace q with (s ^ 2 - 4 * C ^ 2) by lra. field. lra.
Qed.

Lemma best_pos : 0 < best.
Proof. rewrite stable_form. destruct root_facts. lra. Qed.

Theorem stationary : w * (best * (best + 4 * C)) = 4 * C * d.
Proof.
  rewrite stable_form. destruct root_facts as [A B]. set (s := sqrt _) in *.
  replace ((- (2 * C) + s) * (- (2 * C) + s + 4 * C)) with (s ^ 2 - 4 * C ^ 2) by ring.
  rewrite B. unfold q. field. lra.
Qed.

Theorem best_is_minimum u : 0 < u ->
  d * ln (4 * C / best + 1) + w * best <= d * ln (4 * C / u + 1) + w * u.
Proof.
  intros Hu. pose proof best_pos as Hv. pose proof stationary as E. set (v := best) in *.
  assert (Pa : 0 < 4 * C / v + 1) by (assert (0 < 4 * C / v) by positive; lra).
  assert (Pb : 0 < 4 * C / u + 1) by (assert (0 < 4 * C / u) by positive; lra).
  pose proof (ln_le_tangent _ (Rdiv_lt_0_compat _ _ Pa Pb)) as D. rewrite ln_div in D by assumption.
  replace ((4 * C / v + 1) / (4 * C / u + 1) - 1) with (4 * C * (u - v) / (v * (u + 4 * C))) in D
    by (field; repeat split; lra).
  (* d * (...) = w (v + 4 C)(u - v)/(u + 4 C) <= w (u - v) *)
  assert (K : d * (4 * C * (u - v) / (v * (u + 4 * C))) <= w * (u - v)).
  { replace (d * (4 * C * (u - v) / (v * (u + 4 * C)))) with ((4 * C * d) * ((u - v) / (v * (u + 4 * C))))
      by (field; repeat split; lra).
    rewrite <- E.
    replace (w * (v * (v + 4 * C)) * ((u - v) / (v * (u + 4 * C))))
      with (w * (u - v) - w * ((u - v) ^ 2 / (u + 4 * C))) by (field; repeat split; lra).
    assert (0 <= w * ((u - v) ^ 2 / (u + 4 * C))).
    { apply Rmult_le_pos; [lra|]. apply div_nonneg; [apply pow2_ge_0 | lra]. }
    lra. }
  assert (d * (ln (4 * C / v + 1) - ln (4 * C / u + 1)) <= d * (4 * C * (u - v) / (v * (u + 4 * C))))
    by (apply Rmult_le_compat_l; lra).
  lra.
Qed.
End allocation.

(** ** The statements *)

Theorem C1_increasing : Statements.C1_increasing.
Proof.
  intros C C' N1 N2 eps HC HC' H1 H2 He H. assert (0 <= 2 * C / eps) by (apply div_nonneg; lra).
  assert (2 * C / eps <= 2 * C' / eps) by (apply div_le_compat; lra).
  apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | apply ln_le; lra].
Qed.

Theorem C2_factors : Statements.C2_factors.
Proof. intros C N1 N2 eps k _ _ _ _ _. ring. Qed.

Lemma entropy_monotone_flipped k N1 N2 C C' u u' : 0 <= k -> 0 <= N1 -> 0 <= N2 -> 0 <= C -> C <= C' ->
  0 < u' -> u' <= u -> k * (N1 + N2) * ln (1 + 4 * C / u) <= k * (N1 + N2) * ln (1 + 4 * C' / u').
Proof.
  intros. rewrite (Rplus_comm 1), (Rplus_comm 1). apply entropy_monotone; lra.
Qed.

Theorem C2_increasing : Statements.C2_increasing.
Proof. intros C C' N1 N2 eps k HC HC' H1 H2 He Hk H. apply entropy_monotone_flipped; lra. Qed.

Theorem C2_decreasing : Statements.C2_decreasing.
Proof. intros C N1 N2 eps eps' k HC H1 H2 He He' Hk H. apply entropy_monotone_flipped; lra. Qed.

Theorem C3_increasing : Statements.C3_increasing.
Proof. intros C N1 N2 eps k tau tau' HC H1 H2 He Hk Ht Ht' H Hlt. apply entropy_monotone_flipped; lra. Qed.

(** The printed form of the best radius, [4 C d / (w (2 C + sqrt (4 C^2 + 4 C d / w)))]. *)
Lemma printed_best C d w : 0 < C -> 0 < d -> 0 < w ->
  4 * C * d / (w * (2 * C + sqrt (4 * C ^ 2 + 4 * C * d / w)))
  = 4 * C * d / w / (2 * C + sqrt (4 * C ^ 2 + 4 * C * d / w)).
Proof. intros. pose proof (sqrt_pos (4 * C ^ 2 + 4 * C * d / w)). field. lra. Qed.

Theorem C8_stationary : Statements.C8_stationary.
Proof.
  intros C w d HC Hw Hd. pose proof (stationary C d w ltac:(lra) ltac:(lra) ltac:(lra)) as E.
  pose proof (sqrt_pos (4 * C ^ 2 + 4 * C * d / w)). set (s := sqrt _) in *.
  etransitivity; [|exact E]. field. lra.
Qed.

Theorem C8_stable_form : Statements.C8_stable_form.
Proof.
  intros C w d HC Hw Hd. rewrite printed_best by lra. rewrite stable_form by lra. ring.
Qed.

Theorem C8_optimal : Statements.C8_optimal.
Proof.
  intros C w u d HC Hw Hu Hd.
  pose proof (best_is_minimum C d w ltac:(lra) ltac:(lra) ltac:(lra) u ltac:(lra)) as H.
  pose proof (best_pos C d w ltac:(lra) ltac:(lra) ltac:(lra)) as P.
  pose proof (sqrt_pos (4 * C ^ 2 + 4 * C * d / w)) as Q. set (s := sqrt _) in *.
  replace (4 * C / (4 * C * d / w / (2 * C + s)) + 1) with (1 + w * (2 * C + s) / d) in H by (field; lra).
  replace (w * (4 * C * d / w / (2 * C + s))) with (4 * C * d / (2 * C + s)) in H by (field; lra).
  rewrite (Rplus_comm 1 (4 * C / u)). lra.
Qed.

(** (x + y)^2 <= 2 x^2 + 2 y^2. *)
Theorem C5_zhang_radius : Statements.C5_zhang_radius.
Proof.
  intros N m HN Hm HN1 Hm1. assert (L : 0 <= ln (2 * m)) by (apply ln_nonneg; lra).
  rewrite <- sqrt_mult by lra. pose proof (pow2_sqrt N ltac:(lra)) as A.
  pose proof (pow2_sqrt (2 * ln (2 * m)) ltac:(lra)) as B.
  pose proof (pow2_ge_0 (sqrt N - sqrt (2 * ln (2 * m)))). nra.
Qed.

Theorem G0_reach : Statements.G0_reach.
Proof.
  intros L e lm m HL He Hlm Hm H1 H2. apply Rle_trans with (L * (e / L)); [|right; field; lra].
  assert (L * m <= L * (e / L)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Theorem G7_second_move : Statements.G7_second_move.
Proof.
  intros a b v Ha Hb Hv H1 H2. assert (S : sqrt v ^ 2 = v) by (apply pow2_sqrt; lra).
  pose proof (sqrt_pos v).
  replace (v / 4) with ((sqrt v / 2) ^ 2) by (rewrite <- S at 2; field). apply pow_incr. lra.
Qed.
