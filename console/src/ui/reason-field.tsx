interface ReasonFieldProps {
  /** Record that keeps the reason. */
  of: 'move' | 'settlement' | 'withdrawal';
  value: string;
  onChange: (value: string) => void;
}

/** Text that an action has to give its reason in. */
export const ReasonField = ({ of, value, onChange }: ReasonFieldProps) => (
  <label class="field">
    <span>Reason, kept with the {of}</span>
    <input
      name="note"
      required
      maxLength={500}
      value={value}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  </label>
);
