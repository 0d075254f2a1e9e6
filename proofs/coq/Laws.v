(** * Finite laws: means, variances, and the two steps of A3. *)

From Coq Require Import Reals Lra Lia Psatz.
From Majorant Require Import Definitions Sums Powers.
From Majorant Require Statements.
Open Scope R_scope.

Section one_law.
Variables (n : nat) (p : nat -> R).
Hypothesis (Hp : law n p).

Let E f := sum_range 1 n (fun s => p s * f s).

Lemma E_const c : E (fun _ => c) = c.
Proof. unfold E. rewrite sum_scal_r. destruct Hp as [_ ->]. ring. Qed.

Lemma E_plus f g : E (fun s => f s + g s) = E f + E g.
Proof. unfold E. rewrite <- sum_plus. apply sum_ext. intros; ring. Qed.

Lemma E_minus f g : E (fun s => f s - g s) = E f - E g.
Proof. unfold E. rewrite <- sum_minus. apply sum_ext. intros; ring. Qed.

Lemma E_scal c f : E (fun s => c * f s) = c * E f.
Proof. unfold E. rewrite <- sum_scal. apply sum_ext. intros; ring. Qed.

Lemma E_ext f g : (forall s, (1 <= s <= n)%nat -> f s = g s) -> E f = E g.
Proof. intros H. apply sum_ext. intros s Hs. now rewrite H. Qed.

Lemma E_le f g : (forall s, (1 <= s <= n)%nat -> f s <= g s) -> E f <= E g.
Proof. intros H. apply sum_le. intros s Hs. apply Rmult_le_compat_l; [now apply Hp | now apply H]. Qed.

Lemma E_nonneg f : (forall s, (1 <= s <= n)%nat -> 0 <= f s) -> 0 <= E f.
Proof. intros H. rewrite <- (E_const 0). now apply E_le. Qed.

Lemma E_abs f : Rabs (E f) <= E (fun s => Rabs (f s)).
Proof.
  eapply Rle_trans; [apply sum_abs|]. apply sum_le. intros s Hs.
  rewrite Rabs_mult, (Rabs_pos_eq (p s)) by (now apply Hp). lra.
Qed.

(** Jensen for the square root, by AM-GM with the mean as weight. *)
Lemma jensen_sqrt_pos f M : (forall s, (1 <= s <= n)%nat -> 0 <= f s) -> E f <= M -> 0 < M ->
  E (fun s => sqrt (f s)) <= sqrt M.
Proof.
  intros Hf HM Pos. assert (Pt : 0 < sqrt M) by (now apply sqrt_lt_R0).
  assert (Sq : M = sqrt M * sqrt M) by (symmetry; apply sqrt_sqrt; lra).
  set (t := sqrt M) in *. clearbody t. subst M.
  apply Rle_trans with (E (fun s => / (2 * t) * f s + t / 2)).
  - apply E_le. intros s Hs. eapply Rle_trans; [apply (sqrt_le_weighted _ t); auto|].
    right. field. lra.
  - rewrite E_plus, E_scal, E_const.
    assert (H : / (2 * t) * E f <= / (2 * t) * (t * t))
      by (apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat; lra | assumption]).
    replace (/ (2 * t) * (t * t)) with (t / 2) in H by (field; lra). lra.
Qed.

Lemma jensen_sqrt f M : (forall s, (1 <= s <= n)%nat -> 0 <= f s) -> E f <= M -> 0 <= M ->
  E (fun s => sqrt (f s)) <= sqrt M.
Proof.
  intros Hf HM [Pos|Z]; [now apply jensen_sqrt_pos|]. rewrite <- Z, sqrt_0. apply le_epsilon. intros e He.
  rewrite Rplus_0_l, <- (sqrt_pow2 e) by lra. apply jensen_sqrt_pos; try assumption; nra.
Qed.

Lemma mean_abs_le v c : (forall s, (1 <= s <= n)%nat -> Rabs (v s) <= c) -> Rabs (mean n p v) <= c.
Proof.
  intros H. unfold mean. fold (E v). eapply Rle_trans; [apply E_abs|]. rewrite <- (E_const c). now apply E_le.
Qed.

Lemma variance_mean v : covariance n p v v = E (fun s => v s ^ 2) - mean n p v ^ 2.
Proof.
  unfold covariance. fold (E (fun s => (v s - mean n p v) * (v s - mean n p v))).
  set (m := mean n p v).
  rewrite (E_ext _ (fun s => (v s ^ 2 - 2 * m * v s) + m ^ 2)) by (intros; ring).
  rewrite E_plus, E_minus, E_scal, E_const. change (E v) with m. ring.
Qed.

Lemma variance_nonneg v : 0 <= covariance n p v v.
Proof. apply (E_nonneg (fun s => (v s - mean n p v) * (v s - mean n p v))). intros. apply Rle_0_sqr. Qed.

Lemma variance_bound v c : 0 <= c -> (forall s, (1 <= s <= n)%nat -> Rabs (v s) <= c) ->
  covariance n p v v <= c ^ 2 - mean n p v ^ 2.
Proof.
  intros Hc H. rewrite variance_mean.
  assert (E (fun s => v s ^ 2) <= c ^ 2).
  { rewrite <- (E_const (c ^ 2)). apply E_le. intros s Hs. rewrite <- (pow2_abs (v s)).
    apply pow_incr. split; [apply Rabs_pos | now apply H]. }
  lra.
Qed.

Lemma covariance_weighted v w t : 0 < t ->
  Rabs (covariance n p v w) <= (covariance n p v v * t + covariance n p w w / t) / 2.
Proof.
  intros Ht. unfold covariance at 1. fold (E (fun s => (v s - mean n p v) * (w s - mean n p w))).
  eapply Rle_trans; [apply E_abs|].
  apply Rle_trans with (E (fun s => t / 2 * ((v s - mean n p v) * (v s - mean n p v))
    + / (2 * t) * ((w s - mean n p w) * (w s - mean n p w)))).
  - apply E_le. intros s _. set (x := v s - mean n p v). set (y := w s - mean n p w). rewrite Rabs_mult.
    pose proof (pow2_ge_0 (t * Rabs x - Rabs y)) as H.
    assert (X : Rabs x * Rabs x = x * x) by (rewrite <- Rabs_mult; apply Rabs_pos_eq, Rle_0_sqr).
    assert (Y : Rabs y * Rabs y = y * y) by (rewrite <- Rabs_mult; apply Rabs_pos_eq, Rle_0_sqr).
    rewrite <- X, <- Y. apply Rmult_le_reg_l with (2 * t); [lra|].
    replace (2 * t * (t / 2 * (Rabs x * Rabs x) + / (2 * t) * (Rabs y * Rabs y)))
      with (t ^ 2 * (Rabs x * Rabs x) + Rabs y * Rabs y) by (field; lra). nra.
  - rewrite E_plus, !E_scal. unfold covariance. fold (E (fun s => (v s - mean n p v) * (v s - mean n p v))).
    fold (E (fun s => (w s - mean n p w) * (w s - mean n p w))). right. field. lra.
Qed.

(** A3, covariance step: at most the product of the radii. *)
Theorem covariance_bound v w c d : 0 <= c -> 0 <= d ->
  (forall s, (1 <= s <= n)%nat -> Rabs (v s) <= c) -> (forall s, (1 <= s <= n)%nat -> Rabs (w s) <= d) ->
  Rabs (covariance n p v w) <= c * d.
Proof.
  intros Hc Hd Hv Hw.
  pose proof (variance_bound v c Hc Hv) as V. pose proof (variance_bound w d Hd Hw) as W.
  pose proof (pow2_ge_0 (mean n p v)). pose proof (pow2_ge_0 (mean n p w)).
  pose proof (variance_nonneg v) as V0. pose proof (variance_nonneg w) as W0.
  (* let the weight tend to d/c through (d + x)/(c + x) *)
  apply le_epsilon. intros e He.
  set (x := Rmin 1 (e / (c + d + 1))).
  assert (Hx : 0 < x) by (apply Rmin_glb_lt; [lra | apply Rdiv_lt_0_compat; lra]).
  assert (Hx1 : x <= 1) by apply Rmin_l.
  assert (Hx2 : x * (c + d + 1) <= e).
  { apply Rle_trans with (e / (c + d + 1) * (c + d + 1)).
    - apply Rmult_le_compat_r; [lra | apply Rmin_r].
    - right. field. lra. }
  pose proof (covariance_weighted v w ((d + x) / (c + x)) ltac:(apply Rdiv_lt_0_compat; lra)) as H1.
  assert (A : covariance n p v v * ((d + x) / (c + x)) <= (c + x) * (d + x)).
  { apply Rle_trans with ((c + x) ^ 2 * ((d + x) / (c + x))).
    - apply Rmult_le_compat_r; [apply div_nonneg; lra | nra].
    - right. field. lra. }
  assert (B : covariance n p w w / ((d + x) / (c + x)) <= (c + x) * (d + x)).
  { apply Rle_trans with ((d + x) ^ 2 / ((d + x) / (c + x))).
    - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, Rdiv_lt_0_compat; lra | nra].
    - right. field. lra. }
  nra.
Qed.

Theorem variance_at_most_one v : (forall s, (1 <= s <= n)%nat -> Rabs (v s) <= 1) ->
  covariance n p v v <= 1.
Proof. intros H. pose proof (variance_bound v 1 Rle_0_1 H). pose proof (pow2_ge_0 (mean n p v)). lra. Qed.

(** [|softmax(z) - softmax(z')|_1 <= |z - z'|_inf]: the derivative of softmax in the 1-norm. *)
Theorem mean_deviation v : (forall s, (1 <= s <= n)%nat -> Rabs (v s) <= 1) ->
  sum_range 1 n (fun s => p s * Rabs (v s - mean n p v)) <= 1.
Proof.
  intros H. fold (E (fun s => Rabs (v s - mean n p v))).
  apply Rle_trans with (E (fun s => / 2 * ((v s - mean n p v) * (v s - mean n p v)) + / 2)).
  - apply E_le. intros s _. set (x := v s - mean n p v).
    assert (X : Rabs x * Rabs x = x * x) by (rewrite <- Rabs_mult; apply Rabs_pos_eq, Rle_0_sqr).
    pose proof (pow2_ge_0 (Rabs x - 1)). nra.
  - rewrite E_plus, E_scal, E_const. pose proof (variance_at_most_one v H) as V.
    unfold covariance in V. fold (E (fun s => (v s - mean n p v) * (v s - mean n p v))) in V. lra.
Qed.
End one_law.

(** ** Vectors *)

Lemma dot_nonneg N a : 0 <= dot N a a.
Proof. apply sum_nonneg. intros. apply Rle_0_sqr. Qed.

Lemma norm_nonneg N a : 0 <= norm N a.
Proof. apply sqrt_pos. Qed.

Lemma norm_sq N a : norm N a ^ 2 = dot N a a.
Proof. unfold norm. apply pow2_sqrt, dot_nonneg. Qed.

Lemma dot_le_norms N a b : dot N a b <= norm N a * norm N b.
Proof.
  pose proof (cauchy_schwarz 1 N a b) as H.
  assert (Ea : sum_range 1 N (fun i => a i ^ 2) = dot N a a) by (apply sum_ext; intros; ring).
  assert (Eb : sum_range 1 N (fun i => b i ^ 2) = dot N b b) by (apply sum_ext; intros; ring).
  rewrite Ea, Eb in H. fold (dot N a b) in H.
  apply Rle_trans with (Rabs (dot N a b)); [apply RRle_abs|].
  rewrite <- (sqrt_pow2 (Rabs (dot N a b))) by apply Rabs_pos. unfold norm.
  rewrite <- sqrt_mult by apply dot_nonneg. apply sqrt_le_1_alt. rewrite pow2_abs. exact H.
Qed.

(** A3, root-mean-square step: the cross term vanishes because [y - E y] has mean zero. *)
Theorem root_mean_square (n N : nat) (p y : nat -> R) (h : nat -> nat -> R) (a g : nat -> R) (A G Y : R) :
  law n p -> 0 <= A -> 0 <= G -> 0 <= Y ->
  norm N a <= A -> norm N g <= G ->
  (forall s, (1 <= s <= n)%nat -> Rabs (y s) <= Y) ->
  (forall s, (1 <= s <= n)%nat -> norm N (h s) <= 1) ->
  sum_range 1 n (fun s => p s * dot N (h s) (fun i => a i + (y s - mean n p y) * g i))
  <= sqrt (A ^ 2 + Y ^ 2 * G ^ 2).
Proof.
  intros Hp HA HG HY Ha Hg Hy Hh. set (m := mean n p y).
  set (sq := fun s => dot N (fun i => a i + (y s - m) * g i) (fun i => a i + (y s - m) * g i)).
  apply Rle_trans with (sum_range 1 n (fun s => p s * sqrt (sq s))).
  - apply sum_le. intros s Hs. apply Rmult_le_compat_l; [now apply Hp|].
    eapply Rle_trans; [apply dot_le_norms|]. fold (norm N (fun i => a i + (y s - m) * g i)).
    pose proof (Hh s Hs). pose proof (norm_nonneg N (fun i => a i + (y s - m) * g i)).
    change (sqrt (sq s)) with (norm N (fun i => a i + (y s - m) * g i)). nra.
  - apply jensen_sqrt; try assumption.
    + intros. apply dot_nonneg.
    + assert (E : forall s, sq s = dot N a a + 2 * dot N a g * (y s - m) + dot N g g * ((y s - m) * (y s - m))).
      { intros s. unfold sq, dot.
        rewrite (sum_ext 1 N _ (fun i => a i * a i + 2 * (y s - m) * (a i * g i)
          + (y s - m) * (y s - m) * (g i * g i))) by (intros; ring).
        rewrite !sum_plus, !sum_scal. ring. }
      rewrite (sum_ext _ _ _ (fun s => p s * (dot N a a + 2 * dot N a g * (y s - m))
        + p s * (dot N g g * ((y s - m) * (y s - m))))) by (intros; rewrite E; ring).
      rewrite sum_plus.
      rewrite (E_plus n p (fun _ => dot N a a) (fun s => 2 * dot N a g * (y s - m))).
      rewrite (E_const n p Hp), (E_scal n p _ (fun s => y s - m)), (E_minus n p y (fun _ => m)), (E_const n p Hp).
      fold (mean n p y). fold m. rewrite (E_scal n p _ (fun s => (y s - m) * (y s - m))).
      pose proof (variance_bound n p Hp y Y HY Hy) as V. unfold covariance in V. fold m in V.
      set (var := sum_range 1 n (fun s => p s * ((y s - m) * (y s - m)))) in *.
      rewrite <- !norm_sq. pose proof (norm_nonneg N a). pose proof (norm_nonneg N g).
      pose proof (pow2_ge_0 m). pose proof (variance_nonneg n p Hp y) as V0. unfold covariance in V0. fold m in V0. fold var in V0.
      assert (norm N a ^ 2 <= A ^ 2) by (apply pow_incr; lra).
      assert (norm N g ^ 2 <= G ^ 2) by (apply pow_incr; lra).
      assert (norm N g ^ 2 * var <= G ^ 2 * Y ^ 2) by (apply Rmult_le_compat; nra). nra.
    + pose proof (pow2_ge_0 A). pose proof (Rmult_le_pos _ _ (pow2_ge_0 Y) (pow2_ge_0 G)). lra.
Qed.

(** A3: the derivative of one attention head, tested against a unit vector. *)
Theorem head_slopes C_V b s_query s_key z : 0 <= C_V -> 0 <= b -> 0 <= s_query -> 0 <= s_key ->
  head_slope C_V b s_query s_key z -> z <= C_V * (b * s_query + sqrt (1 + b ^ 2 * s_key ^ 2)).
Proof.
  intros HV Hb Hq Hk [n [N [p [y [w [h [a [g [Hp [Ha [Hg [Hy [Hw [Hh ->]]]]]]]]]]]]]].
  assert (H0 : 0 <= C_V * b) by (apply Rmult_le_pos; assumption).
  pose proof (root_mean_square n N p y h a g C_V s_key (C_V * b) Hp HV Hk H0 Ha Hg Hy Hh) as R1.
  pose proof (covariance_bound n p Hp y w (C_V * b) s_query H0 Hq Hy Hw) as R2.
  pose proof (RRle_abs (covariance n p y w)).
  assert (E : sqrt (C_V ^ 2 + (C_V * b) ^ 2 * s_key ^ 2) = C_V * sqrt (1 + b ^ 2 * s_key ^ 2)).
  { rewrite <- (sqrt_pow2 C_V) at 3 by assumption. rewrite <- sqrt_mult_alt by apply pow2_ge_0. f_equal. ring. }
  rewrite E in R1. lra.
Qed.

(** ** The statements *)

Theorem A3s : Statements.A3s.
Proof. intros C_V b z s_key s_query HV Hb Hk Hq H. now apply head_slopes; try lra. Qed.

Theorem A3 : Statements.A3.
Proof.
  intros C_Q C_V b z HQ HV Hb H. assert (0 <= C_Q * b) by (apply Rmult_le_pos; lra).
  pose proof (head_slopes C_V b (C_Q * b) (C_Q * b) z ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) H) as K.
  replace (b * (C_Q * b)) with (C_Q * b ^ 2) in K by ring.
  replace (b ^ 2 * (C_Q * b) ^ 2) with (C_Q ^ 2 * b ^ 4) in K by ring. exact K.
Qed.
