(** * A1: the exact constants of the joint cumulants of orders three and four.

    No reduction to extreme points is needed: the chord of [v -> |v - m|^r] over [-1,1] bounds the
    central moments of any variable there by those of the two-point law with the same mean. *)

From Coq Require Import Reals Lra Lia Psatz.
From Majorant Require Import Definitions Sums Powers Laws.
From Majorant Require Statements.
Open Scope R_scope.

(** ** Convexity of powers, and chords *)

Lemma convex_square a b t : 0 <= t <= 1 -> (t * a + (1 - t) * b) ^ 2 <= t * a ^ 2 + (1 - t) * b ^ 2.
Proof. intros Ht. pose proof (Rmult_le_pos _ _ (proj1 Ht) (Rle_0_sqr (a - b))). unfold Rsqr in *. nra. Qed.

Lemma convex_cube a b t : 0 <= a -> 0 <= b -> 0 <= t <= 1 ->
  (t * a + (1 - t) * b) ^ 3 <= t * a ^ 3 + (1 - t) * b ^ 3.
Proof.
  intros Ha Hb Ht.
  assert (E : t * a ^ 3 + (1 - t) * b ^ 3 - (t * a + (1 - t) * b) ^ 3
    = t * (1 - t) * ((a - b) ^ 2 * ((1 + t) * a + (2 - t) * b))) by ring.
  assert (0 <= t * (1 - t) * ((a - b) ^ 2 * ((1 + t) * a + (2 - t) * b))).
  { apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. apply Rmult_le_pos; [apply pow2_ge_0|].
    apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra. }
  lra.
Qed.

Lemma convex_fourth a b t : 0 <= t <= 1 -> (t * a + (1 - t) * b) ^ 4 <= t * a ^ 4 + (1 - t) * b ^ 4.
Proof.
  intros Ht. replace ((t * a + (1 - t) * b) ^ 4) with (((t * a + (1 - t) * b) ^ 2) ^ 2) by ring.
  apply Rle_trans with ((t * a ^ 2 + (1 - t) * b ^ 2) ^ 2).
  - apply pow_incr. split; [apply pow2_ge_0 | now apply convex_square].
  - eapply Rle_trans; [now apply convex_square | right; ring].
Qed.

Lemma deviation_chord v m : -1 <= v <= 1 -> -1 <= m <= 1 ->
  0 <= Rabs (v - m) <= (1 - v) / 2 * (1 + m) + (1 - (1 - v) / 2) * (1 - m).
Proof. intros Hv Hm. split; [apply Rabs_pos | apply Rabs_le; split; nra]. Qed.

Lemma chord_cube v m : -1 <= v <= 1 -> -1 <= m <= 1 ->
  Rabs (v - m) ^ 3 <= ((1 + m) ^ 3 + (1 - m) ^ 3) / 2 + ((1 - m) ^ 3 - (1 + m) ^ 3) / 2 * v.
Proof.
  intros Hv Hm. eapply Rle_trans; [apply pow_incr, (deviation_chord v m Hv Hm)|].
  eapply Rle_trans; [apply convex_cube; lra | right; field].
Qed.

Lemma chord_fourth v m : -1 <= v <= 1 -> -1 <= m <= 1 ->
  (v - m) ^ 4 <= ((1 + m) ^ 4 + (1 - m) ^ 4) / 2 + ((1 - m) ^ 4 - (1 + m) ^ 4) / 2 * v.
Proof.
  intros Hv Hm. replace ((v - m) ^ 4) with (Rabs (v - m) ^ 4).
  - eapply Rle_trans; [apply pow_incr, (deviation_chord v m Hv Hm)|].
    eapply Rle_trans; [apply convex_fourth; lra | right; field].
  - replace ((v - m) ^ 4) with (((v - m) ^ 2) ^ 2) by ring. rewrite <- (pow2_abs (v - m)). ring.
Qed.

Lemma amgm3 x y z : 0 <= x -> 0 <= y -> 0 <= z -> x * y * z <= (x ^ 3 + y ^ 3 + z ^ 3) / 3.
Proof.
  intros. pose proof (Rmult_le_pos (x + y + z) ((x - y) ^ 2 + (y - z) ^ 2 + (z - x) ^ 2)) as H2.
  assert (0 <= (x - y) ^ 2 + (y - z) ^ 2 + (z - x) ^ 2).
  { pose proof (pow2_ge_0 (x - y)). pose proof (pow2_ge_0 (y - z)). pose proof (pow2_ge_0 (z - x)). lra. }
  specialize (H2 ltac:(lra) ltac:(lra)). nra.
Qed.

Section one_law.
Variables (n : nat) (p : nat -> R).
Hypothesis (Hp : law n p).

Let E f := sum_range 1 n (fun s => p s * f s).
Let within v := forall s, (1 <= s <= n)%nat -> Rabs (v s) <= 1.

Lemma within_interval v s : within v -> (1 <= s <= n)%nat -> -1 <= v s <= 1.
Proof. intros H Hs. apply abs_between. now apply H. Qed.

Lemma mean_within v : within v -> -1 <= mean n p v <= 1.
Proof. intros H. apply abs_between. now apply mean_abs_le. Qed.

Lemma third_moment v : within v -> E (fun s => Rabs (v s - mean n p v) ^ 3) <= 1 - mean n p v ^ 4.
Proof.
  intros H. pose proof (mean_within v H) as Hm. set (m := mean n p v) in *.
  apply Rle_trans with (E (fun s => ((1 + m) ^ 3 + (1 - m) ^ 3) / 2 + ((1 - m) ^ 3 - (1 + m) ^ 3) / 2 * v s)).
  - apply E_le; [assumption|]. intros s Hs. apply chord_cube; [now apply within_interval | assumption].
  - unfold E. rewrite (E_plus n p), (E_scal n p _ v), (E_const n p Hp). fold (mean n p v). fold m.
    right. field.
Qed.

Lemma fourth_moment v : within v ->
  E (fun s => (v s - mean n p v) ^ 4) <= (1 - mean n p v ^ 2) * (1 + 3 * mean n p v ^ 2).
Proof.
  intros H. pose proof (mean_within v H) as Hm. set (m := mean n p v) in *.
  apply Rle_trans with (E (fun s => ((1 + m) ^ 4 + (1 - m) ^ 4) / 2 + ((1 - m) ^ 4 - (1 + m) ^ 4) / 2 * v s)).
  - apply E_le; [assumption|]. intros s Hs. apply chord_fourth; [now apply within_interval | assumption].
  - unfold E. rewrite (E_plus n p), (E_scal n p _ v), (E_const n p Hp). fold (mean n p v). fold m.
    right. field.
Qed.

Theorem cumulant3_bound u v w : within u -> within v -> within w -> Rabs (cumulant3 n p u v w) <= 1.
Proof.
  intros Hu Hv Hw. pose proof (third_moment u Hu) as A. pose proof (third_moment v Hv) as B.
  pose proof (third_moment w Hw) as C.
  unfold cumulant3. eapply Rle_trans; [apply (E_abs n p Hp)|].
  set (a := mean n p u) in *. set (b := mean n p v) in *. set (c := mean n p w) in *.
  apply Rle_trans with (E (fun s => / 3 * (Rabs (u s - a) ^ 3 + Rabs (v s - b) ^ 3 + Rabs (w s - c) ^ 3))).
  - apply E_le; [assumption|]. intros s _. rewrite !Rabs_mult.
    pose proof (amgm3 _ _ _ (Rabs_pos (u s - a)) (Rabs_pos (v s - b)) (Rabs_pos (w s - c))). lra.
  - unfold E. rewrite (E_scal n p), (E_plus n p (fun s => Rabs (u s - a) ^ 3 + Rabs (v s - b) ^ 3)),
      (E_plus n p). fold (E (fun s => Rabs (u s - a) ^ 3)). fold (E (fun s => Rabs (v s - b) ^ 3)).
    fold (E (fun s => Rabs (w s - c) ^ 3)).
    assert (0 <= a ^ 4) by (replace (a ^ 4) with ((a ^ 2) ^ 2) by ring; apply pow2_ge_0).
    assert (0 <= b ^ 4) by (replace (b ^ 4) with ((b ^ 2) ^ 2) by ring; apply pow2_ge_0).
    assert (0 <= c ^ 4) by (replace (c ^ 4) with ((c ^ 2) ^ 2) by ring; apply pow2_ge_0). lra.
Qed.

(** ** Order four *)

Lemma centred_mean v : E (fun s => v s - mean n p v) = 0.
Proof. unfold E. rewrite (E_minus n p v), (E_const n p Hp). fold (mean n p v). ring. Qed.

(** [|Cov(UV, WX)| <= (Var(UV) + Var(WX)) / 2] for the centred variables. *)
Lemma pairing_bound u v w x :
  let U := fun s => u s - mean n p u in let V := fun s => v s - mean n p v in
  let W := fun s => w s - mean n p w in let X := fun s => x s - mean n p x in
  Rabs (E (fun s => U s * V s * (W s * X s)) - covariance n p u v * covariance n p w x)
  <= (E (fun s => U s ^ 2 * V s ^ 2) - covariance n p u v ^ 2
      + (E (fun s => W s ^ 2 * X s ^ 2) - covariance n p w x ^ 2)) / 2.
Proof.
  intros U V W X.
  pose proof (covariance_weighted n p Hp (fun s => U s * V s) (fun s => W s * X s) 1 Rlt_0_1) as H.
  assert (M1 : mean n p (fun s => U s * V s) = covariance n p u v) by reflexivity.
  assert (M2 : mean n p (fun s => W s * X s) = covariance n p w x) by reflexivity.
  rewrite (variance_mean n p Hp), (variance_mean n p Hp), M1, M2 in H.
  assert (C : covariance n p (fun s => U s * V s) (fun s => W s * X s)
    = E (fun s => U s * V s * (W s * X s)) - covariance n p u v * covariance n p w x).
  { unfold covariance at 1. rewrite M1, M2. set (c := covariance n p u v). set (d := covariance n p w x).
    rewrite (E_ext n p _ (fun s => (U s * V s * (W s * X s) - d * (U s * V s)) - (c * (W s * X s) - c * d)))
      by (intros; ring).
    rewrite (E_minus n p), (E_minus n p), (E_minus n p (fun s => c * (W s * X s))), !(E_scal n p),
      (E_const n p Hp).
    fold (mean n p (fun s => U s * V s)). fold (mean n p (fun s => W s * X s)). rewrite M1, M2.
    fold c. fold d. fold (E (fun s => U s * V s * (W s * X s))). ring. }
  rewrite C in H. unfold E.
  rewrite (sum_ext 1 n (fun s => p s * (U s ^ 2 * V s ^ 2)) (fun s => p s * (U s * V s) ^ 2)) by (intros; ring).
  rewrite (sum_ext 1 n (fun s => p s * (W s ^ 2 * X s ^ 2)) (fun s => p s * (W s * X s) ^ 2)) by (intros; ring).
  fold (E (fun s => U s * V s * (W s * X s))). lra.
Qed.

Lemma square_pair u v :
  let U := fun s => u s - mean n p u in let V := fun s => v s - mean n p v in
  E (fun s => U s ^ 2 * V s ^ 2) <= (E (fun s => U s ^ 4) + E (fun s => V s ^ 4)) / 2.
Proof.
  intros U V. replace ((E (fun s => U s ^ 4) + E (fun s => V s ^ 4)) / 2)
    with (E (fun s => / 2 * (U s ^ 4 + V s ^ 4))).
  - apply E_le; [assumption|]. intros s _. pose proof (amgm2 (U s ^ 2) (V s ^ 2)) as H.
    replace ((U s ^ 2) ^ 2) with (U s ^ 4) in H by ring. replace ((V s ^ 2) ^ 2) with (V s ^ 4) in H by ring. lra.
  - unfold E. rewrite (E_scal n p), (E_plus n p). field.
Qed.

(** [c_uv^2 <= (v_u^2 + v_v^2) / 2]. *)
Lemma covariance_square u v : within u -> within v ->
  covariance n p u v ^ 2 <= ((1 - mean n p u ^ 2) ^ 2 + (1 - mean n p v ^ 2) ^ 2) / 2.
Proof.
  intros Hu Hv.
  pose proof (variance_bound n p Hp u 1 Rle_0_1 Hu) as A. pose proof (variance_bound n p Hp v 1 Rle_0_1 Hv) as B.
  pose proof (variance_nonneg n p Hp u) as A0. pose proof (variance_nonneg n p Hp v) as B0.
  set (x := covariance n p u u) in *. set (y := covariance n p v v) in *.
  assert (K : forall t, 0 < t -> Rabs (covariance n p u v) <= (x * t + y / t) / 2).
  { intros t Ht. now apply covariance_weighted. }
  assert (CS : covariance n p u v ^ 2 <= x * y).
  { rewrite <- pow2_abs. set (c := Rabs (covariance n p u v)) in *.
    assert (Hc : 0 <= c) by apply Rabs_pos.
    destruct (Req_dec x 0) as [Zx|Nx].
    - destruct (Req_dec c 0) as [->|Nc]; [nra|]. exfalso.
      pose proof (K ((y + 1) / c) ltac:(apply Rdiv_lt_0_compat; lra)) as H. rewrite Zx in H.
      replace (y / ((y + 1) / c)) with (c * (y / (y + 1))) in H by (field; lra).
      assert (y / (y + 1) < 1) by (apply Rmult_lt_reg_r with (y + 1); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
      nra.
    - destruct (Req_dec c 0) as [->|Nc]; [nra|].
      pose proof (K (c / x) ltac:(apply Rdiv_lt_0_compat; lra)) as H.
      replace (x * (c / x)) with c in H by (field; lra). replace (y / (c / x)) with (x * y / c) in H by (field; lra).
      assert (c <= x * y / c) by lra. apply Rmult_le_compat_r with (r := c) in H0; [|lra].
      replace (x * y / c * c) with (x * y) in H0 by (field; lra). lra. }
  apply Rle_trans with (x * y); [assumption|].
  apply Rle_trans with ((1 - mean n p u ^ 2) * (1 - mean n p v ^ 2)).
  - apply Rmult_le_compat; lra.
  - apply amgm2.
Qed.

Theorem cumulant4_bound u v w x : within u -> within v -> within w -> within x ->
  Rabs (cumulant4 n p u v w x) <= 2.
Proof.
  intros Hu Hv Hw Hx.
  pose proof (fourth_moment u Hu) as Fu. pose proof (fourth_moment v Hv) as Fv.
  pose proof (fourth_moment w Hw) as Fw. pose proof (fourth_moment x Hx) as Fx.
  pose proof (mean_within u Hu) as Mu. pose proof (mean_within v Hv) as Mv.
  pose proof (mean_within w Hw) as Mw. pose proof (mean_within x Hx) as Mx.
  pose proof (pairing_bound u v w x) as P1. pose proof (pairing_bound u w v x) as P2.
  pose proof (pairing_bound u x v w) as P3.
  pose proof (square_pair u v) as Suv. pose proof (square_pair u w) as Suw. pose proof (square_pair u x) as Sux.
  pose proof (square_pair v w) as Svw. pose proof (square_pair v x) as Svx. pose proof (square_pair w x) as Swx.
  pose proof (covariance_square u v Hu Hv) as Cuv. pose proof (covariance_square u w Hu Hw) as Cuw.
  pose proof (covariance_square u x Hu Hx) as Cux. pose proof (covariance_square v w Hv Hw) as Cvw.
  pose proof (covariance_square v x Hv Hx) as Cvx. pose proof (covariance_square w x Hw Hx) as Cwx.
  cbv beta zeta in *. unfold cumulant4. fold (E (fun s => (u s - mean n p u) * (v s - mean n p v)
    * ((w s - mean n p w) * (x s - mean n p x)))).
  set (a := mean n p u) in *. set (b := mean n p v) in *. set (c := mean n p w) in *. set (d := mean n p x) in *.
  set (T := E (fun s => (u s - a) * (v s - b) * ((w s - c) * (x s - d)))) in *.
  assert (T2 : E (fun s => (u s - a) * (w s - c) * ((v s - b) * (x s - d))) = T)
    by (apply sum_ext; intros; ring).
  assert (T3 : E (fun s => (u s - a) * (x s - d) * ((v s - b) * (w s - c))) = T)
    by (apply sum_ext; intros; ring).
  rewrite T2 in P2. rewrite T3 in P3.
  set (uv := covariance n p u v) in *. set (uw := covariance n p u w) in *. set (ux := covariance n p u x) in *.
  set (vw := covariance n p v w) in *. set (vx := covariance n p v x) in *. set (wx := covariance n p w x) in *.
  assert (Final : forall z, -1 <= z <= 1 -> (1 - z ^ 2) * (1 + 3 * z ^ 2) + (1 - z ^ 2) ^ 2 <= 2).
  { intros z Hz. pose proof (pow2_ge_0 (z ^ 2)). nra. }
  pose proof (Final a Mu). pose proof (Final b Mv). pose proof (Final c Mw). pose proof (Final d Mx).
  assert (Q : forall s t, s * t <= (s ^ 2 + t ^ 2) / 2 /\ - (s * t) <= (s ^ 2 + t ^ 2) / 2).
  { intros s t. split; [apply amgm2|]. pose proof (amgm2 (- s) t). replace ((- s) ^ 2) with (s ^ 2) in H3 by ring. lra. }
  destruct (Q uv wx). destruct (Q uw vx). destruct (Q ux vw).
  apply abs_between in P1. apply abs_between in P2. apply abs_between in P3.
  apply Rabs_le. split; lra.
Qed.
End one_law.

(** ** The statements *)

Theorem A1_2 : Statements.A1_2.
Proof.
  intros z [n [p [u [v [Hp [Hu [Hv ->]]]]]]]. replace 1 with (1 * 1) by ring.
  apply (covariance_bound n p Hp); try lra; assumption.
Qed.

Theorem A1_3 : Statements.A1_3.
Proof. intros z [n [p [u [v [w [Hp [Hu [Hv [Hw ->]]]]]]]]]. now apply cumulant3_bound. Qed.

Theorem A1_4 : Statements.A1_4.
Proof. intros z [n [p [u [v [w [x [Hp [Hu [Hv [Hw [Hx ->]]]]]]]]]]]. now apply cumulant4_bound. Qed.

(** ** Both constants are attained: three pairwise independent signs, and one fair coin *)

Ltac compute_law := unfold cumulant3, cumulant4, covariance, mean, sum_range, indices; simpl.

Theorem third_attained : exists n p u v w, law n p /\ within_one n u /\ within_one n v /\ within_one n w
  /\ cumulant3 n p u v w = 1.
Proof.
  (* four equally likely points; w = u v *)
  pose (u := fun s : nat => match s with 1%nat | 2%nat => 1 | _ => -1 end).
  pose (v := fun s : nat => match s with 1%nat | 3%nat => 1 | _ => -1 end).
  pose (w := fun s : nat => match s with 1%nat | 4%nat => 1 | _ => -1 end).
  assert (Sign : forall f : nat -> R, (forall s, f s = 1 \/ f s = -1) -> within_one 4 f).
  { intros f H s _. destruct (H s) as [-> | ->]; unfold Rabs; destruct (Rcase_abs _); lra. }
  exists 4%nat, (fun _ => / 4), u, v, w. split; [|split; [|split; [|split]]].
  - split; [intros; lra|]. unfold sum_range, indices. simpl. lra.
  - apply Sign. intros s. unfold u. destruct s as [|[|[|s]]]; auto.
  - apply Sign. intros s. unfold v. destruct s as [|[|[|[|s]]]]; auto.
  - apply Sign. intros s. unfold w. destruct s as [|[|[|[|[|s]]]]]; auto.
  - compute_law. field.
Qed.

Theorem fourth_attained : exists n p u, law n p /\ within_one n u /\ Rabs (cumulant4 n p u u u u) = 2.
Proof.
  pose (u := fun s : nat => match s with 1%nat => 1 | _ => -1 end).
  exists 2%nat, (fun _ => / 2), u. split; [|split].
  - split; [intros; lra|]. unfold sum_range, indices. simpl. lra.
  - intros s _. unfold u. destruct s as [|[|s]]; unfold Rabs; destruct (Rcase_abs _); lra.
  - compute_law. match goal with |- Rabs ?t = 2 => replace t with (-2) by field end.
    unfold Rabs. destruct (Rcase_abs _); lra.
Qed.
