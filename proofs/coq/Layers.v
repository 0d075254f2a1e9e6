(** * Layers on rows: norms, logits, feed-forward layers, normalizations. *)

From Coq Require Import Reals Lra Lia Psatz.
From Majorant Require Import Definitions Sums Powers Laws.
From Majorant Require NetworkStatements.
Open Scope R_scope.

(** ** Norms *)

Lemma norm_ext N a b : (forall i, (1 <= i <= N)%nat -> a i = b i) -> norm N a = norm N b.
Proof. intros H. unfold norm, dot. f_equal. apply sum_ext. intros i Hi. now rewrite H. Qed.

Lemma norm_le N a b c : 0 <= c -> (forall i, (1 <= i <= N)%nat -> Rabs (a i) <= c * Rabs (b i)) ->
  norm N a <= c * norm N b.
Proof.
  intros Hc H. unfold norm. rewrite <- (sqrt_pow2 c) at 1 by assumption.
  rewrite <- sqrt_mult_alt by apply pow2_ge_0. apply sqrt_le_1_alt. unfold dot. rewrite <- sum_scal.
  apply sum_le. intros i Hi. pose proof (H i Hi) as K. pose proof (Rabs_pos (a i)).
  replace (a i * a i) with (Rabs (a i) * Rabs (a i)) by (rewrite <- Rabs_mult; apply Rabs_pos_eq, Rle_0_sqr).
  replace (b i * b i) with (Rabs (b i) * Rabs (b i)) by (rewrite <- Rabs_mult; apply Rabs_pos_eq, Rle_0_sqr).
  nra.
Qed.

Lemma norm_triangle N a b : norm N (fun i => a i + b i) <= norm N a + norm N b.
Proof.
  pose proof (norm_nonneg N a). pose proof (norm_nonneg N b).
  apply Rsqr_incr_0_var; [|lra]. rewrite !Rsqr_pow2, norm_sq.
  assert (E : dot N (fun i => a i + b i) (fun i => a i + b i) = dot N a a + 2 * dot N a b + dot N b b).
  { unfold dot. rewrite (sum_ext 1 N _ (fun i => a i * a i + 2 * (a i * b i) + b i * b i)) by (intros; ring).
    rewrite !sum_plus, sum_scal. ring. }
  rewrite E, <- !norm_sq. pose proof (dot_le_norms N a b). nra.
Qed.

Lemma norm_entry N a i : (1 <= i <= N)%nat -> Rabs (a i) <= norm N a.
Proof.
  intros Hi. unfold norm. rewrite <- (sqrt_pow2 (Rabs (a i))) by apply Rabs_pos. apply sqrt_le_1_alt.
  rewrite pow2_abs. replace (a i ^ 2) with (a i * a i) by ring.
  apply (sum_term_le 1 N (fun i => a i * a i)); [assumption|]. intros. apply Rle_0_sqr.
Qed.

Lemma norm_const N c : norm N (fun _ => c) = Rabs c * sqrt (INR N).
Proof.
  unfold norm, dot. rewrite sum_const. replace (S N - 1)%nat with N by lia.
  rewrite Rmult_comm, sqrt_mult_alt by apply Rle_0_sqr. f_equal. apply sqrt_Rsqr_abs.
Qed.

Lemma dot_abs_le N a b : Rabs (dot N a b) <= norm N a * norm N b.
Proof.
  apply Rabs_le. split; [|apply dot_le_norms].
  pose proof (dot_le_norms N (fun i => - a i) b) as H.
  replace (dot N (fun i => - a i) b) with (- dot N a b) in H
    by (unfold dot; rewrite (sum_ext 1 N (fun i => - a i * b i) (fun i => -1 * (a i * b i))) by (intros; ring);
        rewrite sum_scal; ring).
  replace (norm N (fun i => - a i)) with (norm N a) in H
    by (unfold norm, dot; f_equal; apply sum_ext; intros; ring). lra.
Qed.

(** ** Rows and logits *)

Lemma affine_norm N M C b B W c x : 0 <= C -> bounded_by N M C W -> norm N x <= b -> norm M c <= B ->
  norm M (fun i => W x i + c i) <= C * b + B.
Proof.
  intros HC HW Hx Hc. eapply Rle_trans; [apply norm_triangle|]. pose proof (HW x) as K.
  assert (C * norm N x <= C * b) by (now apply Rmult_le_compat_l). lra.
Qed.

Theorem affine : NetworkStatements.affine.
Proof. intros C b B z [N [M [W [c [x [HW [Hx [Hc ->]]]]]]]] HC. apply affine_norm with N; auto. lra. Qed.

Theorem logit : NetworkStatements.logit.
Proof.
  intros Cq Bq Ck Bk bx by_ scale z [N [M [Wq [Wk [cq [ck [x [y [Hq [Hk [Bq' [Bk' [Hx [Hy ->]]]]]]]]]]]]]] HCq HCk Hs.
  pose proof (affine_norm N M Cq bx Bq Wq cq x ltac:(lra) Hq Hx Bq') as A.
  pose proof (affine_norm N M Ck by_ Bk Wk ck y ltac:(lra) Hk Hy Bk') as K.
  set (u := fun i => Wq x i + cq i) in *. set (v := fun i => Wk y i + ck i) in *.
  rewrite Rabs_mult, (Rabs_pos_eq scale), Rmult_assoc by lra. apply Rmult_le_compat_l; [lra|].
  eapply Rle_trans; [apply dot_abs_le|]. pose proof (norm_nonneg M u). pose proof (norm_nonneg M v). nra.
Qed.

Theorem coordinate_below_norm : NetworkStatements.coordinate_below_norm.
Proof. intros D z [N [u [i [H [Hi ->]]]]]. pose proof (norm_entry N u i Hi). lra. Qed.

(** ** Difference quotients *)

Lemma quotient_le N M P F z K : quotient N M P F z ->
  (forall x y, P x -> P y -> norm M (difference (F x) (F y)) <= K * norm N (difference x y)) -> z <= K.
Proof.
  intros [x [y [Px [Py [Pos E]]]]] H. apply Rmult_le_reg_r with (norm N (difference x y)); [assumption|].
  rewrite E. auto.
Qed.

Theorem feed_forward : NetworkStatements.feed_forward.
Proof.
  intros Cin Cout L z [N [M [Q [Win [Wout [phi [Hin [Hout [Hphi H]]]]]]]]] HC HL.
  apply (quotient_le _ _ _ _ _ _ H). intros x y _ _.
  eapply Rle_trans; [apply Hout|].
  assert (A : norm M (difference (fun i => phi (Win x i)) (fun i => phi (Win y i)))
              <= L * norm M (difference (Win x) (Win y))) by (apply norm_le; [lra | intros; apply Hphi]).
  pose proof (Hin x y) as B. assert (L * norm M (difference (Win x) (Win y)) <= L * (Cin * norm N (difference x y)))
    by (apply Rmult_le_compat_l; lra).
  replace (L * Cin * Cout * norm N (difference x y)) with (Cout * (L * (Cin * norm N (difference x y)))) by ring.
  apply Rmult_le_compat_l; lra.
Qed.

Theorem gated : NetworkStatements.gated.
Proof.
  intros Cg Cu Cd L Rg Ru z [N [M [Q [gate [up [down [phi [Hg [Hu [Hd [Hphi H]]]]]]]]]]] HCd HL HRg HRu.
  apply (quotient_le _ _ _ _ _ _ H). intros x y Px Py. eapply Rle_trans; [apply Hd|].
  set (d := norm N (difference x y)).
  assert (A : norm M (fun i => (phi (gate x i) - phi (gate y i)) * up x i) <= Ru * (L * (Cg * d))).
  { apply Rle_trans with (Ru * norm M (fun i => phi (gate x i) - phi (gate y i))).
    - apply norm_le; [lra|]. intros i Hi. rewrite Rabs_mult, Rmult_comm.
      apply Rmult_le_compat_r; [apply Rabs_pos | now apply Px].
    - apply Rmult_le_compat_l; [lra|].
      apply Rle_trans with (L * norm M (difference (gate x) (gate y))).
      + apply norm_le; [lra | intros; apply Hphi].
      + apply Rmult_le_compat_l; [lra | apply Hg]. }
  assert (B : norm M (fun i => phi (gate y i) * (up x i - up y i)) <= Rg * (Cu * d)).
  { apply Rle_trans with (Rg * norm M (difference (up x) (up y))).
    - apply norm_le; [lra|]. intros i Hi. rewrite Rabs_mult.
      apply Rmult_le_compat_r; [apply Rabs_pos | now apply Py].
    - apply Rmult_le_compat_l; [lra | apply Hu]. }
  replace (Cd * (L * Cg * Ru + Cu * Rg) * d) with (Cd * (Ru * (L * (Cg * d)) + Rg * (Cu * d))) by ring.
  apply Rmult_le_compat_l; [lra|].
  rewrite (norm_ext M _ (fun i => (phi (gate x i) - phi (gate y i)) * up x i + phi (gate y i) * (up x i - up y i)))
    by (intros; unfold difference; ring).
  eapply Rle_trans; [apply norm_triangle | lra].
Qed.

(** ** Activated and normalized rows *)

Theorem activated : NetworkStatements.activated.
Proof.
  intros n A C b B phi0 z [N [W [c [x [phi [HW [Hx [Hc [Hphi ->]]]]]]]]] HA HC H0.
  pose proof (affine_norm N n C b B W c x ltac:(lra) HW Hx Hc) as K.
  apply Rle_trans with (norm n (fun i => A * Rabs (W x i + c i) + phi0)).
  - rewrite <- (Rmult_1_l (norm n (fun i => A * Rabs (W x i + c i) + phi0))).
    apply norm_le; [lra|]. intros i Hi.
    eapply Rle_trans; [apply Hphi|]. rewrite Rmult_1_l. apply RRle_abs.
  - eapply Rle_trans; [apply norm_triangle|]. rewrite norm_const, (Rabs_pos_eq phi0) by lra.
    apply Rplus_le_compat_r. apply Rle_trans with (A * norm n (fun i => W x i + c i)).
    + apply norm_le; [lra|]. intros i Hi. rewrite Rabs_mult, (Rabs_pos_eq A), Rabs_Rabsolu by lra. lra.
    + apply Rmult_le_compat_l; lra.
Qed.

Theorem activated_height : NetworkStatements.activated_height.
Proof.
  intros A C b B phi0 z [N [n [W [c [x [phi [i [HW [Hx [Hc [Hphi [Hi ->]]]]]]]]]]]] HA HC.
  pose proof (affine_norm N n C b B W c x ltac:(lra) HW Hx Hc) as K.
  pose proof (norm_entry n (fun i => W x i + c i) i Hi) as E. simpl in E.
  eapply Rle_trans; [apply Hphi|]. apply Rplus_le_compat_r, Rmult_le_compat_l; lra.
Qed.

Theorem normalized : NetworkStatements.normalized.
Proof.
  intros N G B eps z [y [gain [bias [Heps [HG [HB ->]]]]]] HN HG0.
  assert (PN : 0 < INR N) by (apply lt_0_INR; lia).
  eapply Rle_trans; [apply norm_triangle|]. apply Rplus_le_compat; [|assumption].
  set (q := sqrt (dot N y y / INR N + eps)).
  pose proof (dot_nonneg N y) as D. pose proof (div_nonneg _ _ D PN) as V.
  assert (Pq : 0 < q) by (apply sqrt_lt_R0; lra).
  apply Rle_trans with (G * norm N (fun i => y i / q)).
  - apply norm_le; [lra|]. intros i Hi. rewrite Rabs_mult.
    apply Rmult_le_compat_r; [apply Rabs_pos | now apply HG].
  - apply Rmult_le_compat_l; [lra|].
    assert (E : dot N (fun i => y i / q) (fun i => y i / q) = dot N y y / (q * q)).
    { unfold dot. rewrite (sum_ext 1 N _ (fun i => / (q * q) * (y i * y i))) by (intros; field; lra).
      rewrite sum_scal. field. lra. }
    assert (Q : q * q = dot N y y / INR N + eps) by (apply sqrt_sqrt; lra).
    unfold norm. apply sqrt_le_1_alt. rewrite E, Q.
    set (v := dot N y y / INR N) in *. replace (dot N y y) with (INR N * v) by (unfold v; field; lra).
    apply Rmult_le_reg_r with (v + eps); [lra|].
    replace (INR N * v / (v + eps) * (v + eps)) with (INR N * v) by (field; lra). nra.
Qed.

(** ** The projection on the unit ball *)

Lemma difference_sq N a b : norm N (difference a b) ^ 2 = norm N a ^ 2 + norm N b ^ 2 - 2 * dot N a b.
Proof.
  rewrite !norm_sq. unfold dot, difference.
  rewrite (sum_ext 1 N _ (fun i => a i * a i + b i * b i - 2 * (a i * b i))) by (intros; ring).
  rewrite sum_minus, sum_plus, sum_scal. reflexivity.
Qed.

Lemma norm_scal N c a : 0 <= c -> norm N (fun i => c * a i) = c * norm N a.
Proof.
  intros Hc. unfold norm. replace (c * sqrt (dot N a a)) with (sqrt (c ^ 2) * sqrt (dot N a a))
    by (rewrite sqrt_pow2 by assumption; reflexivity).
  rewrite <- sqrt_mult_alt by apply pow2_ge_0. f_equal. unfold dot. rewrite <- sum_scal.
  apply sum_ext. intros. ring.
Qed.

Lemma dot_scal N c e a b : dot N (fun i => c * a i) (fun i => e * b i) = c * e * dot N a b.
Proof. unfold dot. rewrite <- sum_scal. apply sum_ext. intros. ring. Qed.

Lemma shrink r : 0 <= r -> 0 < / Rmax 1 r <= 1 /\ / Rmax 1 r * r = Rmin 1 r.
Proof.
  intros Hr. pose proof (Rmax_l 1 r) as M. split; [split|].
  - apply Rinv_0_lt_compat. lra.
  - apply Rle_trans with (/ 1); [apply Rinv_le_contravar; lra | rewrite Rinv_1; lra].
  - destruct (Rle_dec 1 r); [rewrite Rmax_right, Rmin_left by lra | rewrite Rmax_left, Rmin_right by lra];
      field; lra.
Qed.

Theorem projection : NetworkStatements.projection.
Proof.
  intros z [N H]. apply (quotient_le _ _ _ _ _ _ H). intros x y _ _. rewrite Rmult_1_l.
  set (al := norm N x). set (be := norm N y).
  pose proof (norm_nonneg N x : 0 <= al) as A0. pose proof (norm_nonneg N y : 0 <= be) as B0.
  destruct (shrink al A0) as [[C0 C1] U]. destruct (shrink be B0) as [[E0 E1] V].
  set (c := / Rmax 1 al) in *. set (e := / Rmax 1 be) in *.
  apply Rsqr_incr_0_var; [|apply norm_nonneg]. rewrite !Rsqr_pow2.
  replace (norm N (difference (fun i => x i / Rmax 1 al) (fun i => y i / Rmax 1 be)))
    with (norm N (difference (fun i => c * x i) (fun i => e * y i)))
    by (apply norm_ext; intros; unfold difference, c, e; field; split; apply Rgt_not_eq;
        [pose proof (Rmax_l 1 be) | pose proof (Rmax_l 1 al)]; lra).
  rewrite !difference_sq, dot_scal, !norm_scal by lra. fold al be.
  pose proof (dot_le_norms N x y : dot N x y <= al * be) as S. set (s := dot N x y) in *.
  assert (CE : 0 <= 1 - c * e) by nra. rewrite U, V in *.
  assert (K : 2 * s * (1 - c * e) <= 2 * (al * be) * (1 - c * e)) by nra.
  assert (UV : Rmin 1 al * Rmin 1 be = c * e * (al * be)) by (rewrite <- U, <- V; ring).
  assert (D : (Rmin 1 al - Rmin 1 be) ^ 2 <= (al - be) ^ 2).
  { unfold Rmin. clear - A0 B0. destruct (Rle_dec 1 al) as [P|P], (Rle_dec 1 be) as [Q|Q];
      try apply Rnot_le_lt in P; try apply Rnot_le_lt in Q.
    - replace ((1 - 1) ^ 2) with 0 by ring. apply pow2_ge_0.
    - pose proof (Rmult_le_pos (al - 1) (al + 1 - 2 * be)). lra.
    - pose proof (Rmult_le_pos (be - 1) (be + 1 - 2 * al)). lra.
    - lra. }
  nra.
Qed.
