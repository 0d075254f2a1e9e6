(** * An attention head whose logits depend on the position: covariance step, moves of the logits. *)

From Coq Require Import Reals Lra Lia Psatz.
From Majorant Require Import Definitions Sums Laws Layers.
From Majorant Require NetworkStatements.
Open Scope R_scope.

Theorem A4_logits : NetworkStatements.A4_logits.
Proof.
  intros size z [n [p [y [w [Hp [Hy [Hw ->]]]]]]].
  assert (Hs : 0 <= size).
  { destruct n as [|n]; [exfalso; destruct Hp as [_ P1]; rewrite sum_0 in P1; lra|].
    eapply Rle_trans; [apply Rabs_pos | apply (Hy 1%nat); lia]. }
  pose proof (covariance_bound n p Hp y w size 1 ltac:(lra) ltac:(lra) Hy Hw).
  pose proof (RRle_abs (covariance n p y w)). lra.
Qed.

(** The mean deviation is at most the size of the values. *)
Lemma deviation_le n p y c : law n p -> 0 <= c -> (forall s, (1 <= s <= n)%nat -> Rabs (y s) <= c) ->
  sum_range 1 n (fun s => p s * Rabs (y s - mean n p y)) <= c.
Proof.
  intros Hp Hc Hy. rewrite <- (sqrt_pow2 c) by assumption.
  rewrite (sum_ext 1 n _ (fun s => p s * sqrt ((y s - mean n p y) ^ 2)))
    by (intros; f_equal; rewrite <- sqrt_Rsqr_abs; f_equal; unfold Rsqr; ring).
  apply (jensen_sqrt n p Hp); [intros; apply pow2_ge_0 | | apply pow2_ge_0].
  pose proof (variance_bound n p Hp y c Hc Hy) as V. unfold covariance in V.
  pose proof (pow2_ge_0 (mean n p y)).
  rewrite (sum_ext 1 n _ (fun s => p s * ((y s - mean n p y) * (y s - mean n p y)))) by (intros; ring). lra.
Qed.

Theorem A3c : NetworkStatements.A3c.
Proof.
  intros C_V b z s_key s_query [n [N [p [y [w [h [g [a [Hp [Ha [Hg [Hy [Hw [Hh ->]]]]]]]]]]]]]] HV Hb Hk Hq.
  assert (H0 : 0 <= C_V * b) by (apply Rmult_le_pos; lra).
  pose proof (covariance_bound n p Hp y w (C_V * b) s_query H0 ltac:(lra) Hy Hw) as R2.
  pose proof (RRle_abs (covariance n p y w)). pose proof (deviation_le n p y (C_V * b) Hp H0 Hy) as R1.
  set (m := mean n p y) in *.
  assert (S : sum_range 1 n (fun s => p s * dot N (h s) (fun i => a i + (y s - m) * g s i))
              <= sum_range 1 n (fun s => p s * C_V + s_key * (p s * Rabs (y s - m)))).
  { apply sum_le. intros s Hs. replace (p s * C_V + s_key * (p s * Rabs (y s - m)))
      with (p s * (C_V + Rabs (y s - m) * s_key)) by ring.
    apply Rmult_le_compat_l; [now apply Hp|]. eapply Rle_trans; [apply dot_le_norms|].
    pose proof (Hh s Hs). pose proof (norm_nonneg N (h s)).
    assert (K : norm N (fun i => a i + (y s - m) * g s i) <= C_V + Rabs (y s - m) * s_key).
    { eapply Rle_trans; [apply norm_triangle|]. apply Rplus_le_compat; [assumption|].
      apply Rle_trans with (Rabs (y s - m) * norm N (g s)).
      - apply norm_le; [apply Rabs_pos|]. intros i _. rewrite Rabs_mult. lra.
      - apply Rmult_le_compat_l; [apply Rabs_pos | now apply Hg]. }
    pose proof (norm_nonneg N (fun i => a i + (y s - m) * g s i)). nra. }
  rewrite sum_plus, sum_scal_r, sum_scal in S. destruct Hp as [_ P1]. rewrite P1 in S.
  assert (s_key * sum_range 1 n (fun s => p s * Rabs (y s - m)) <= s_key * (C_V * b))
    by (apply Rmult_le_compat_l; lra). lra.
Qed.
